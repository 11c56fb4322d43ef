import { ar } from '../i18n/locales/ar/index.js';
import { en } from '../i18n/locales/en/index.js';

/** Every text of both languages, so that a test never waits for one. */
export const allTexts = { ar, en };
