import { useTexts, useTranslation } from '../../i18n/index.js';

const TEXTS = ['site'] as const;

/** The line that says what works without scripts. */
export function PlainText() {
  const { t } = useTranslation();
  useTexts(TEXTS);
  // As bare text, React would mark its end only while this part is loaded for the first time.
  return <span>{t('site.form.plain')}</span>;
}
