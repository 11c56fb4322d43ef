import { useTexts, useTranslation } from '../../i18n/index.js';

const TEXTS = ['site'] as const;

/** What works without scripts. */
export function PlainText() {
  useTexts(TEXTS);
  return useTranslation().t('site.form.plain');
}
