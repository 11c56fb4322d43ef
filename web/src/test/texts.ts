import * as ar from '../i18n/locales/ar/index.js';
import * as en from '../i18n/locales/en/index.js';

export const allTexts = { ar, en };
