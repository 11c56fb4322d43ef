import { useTexts, useTranslation } from '../../i18n/index.js';

const TEXTS = ['site'] as const;

export function PlainText() {
  const { t } = useTranslation();
  useTexts(TEXTS);
  // React marks the end of bare text only while this part loads for the first time.
  return <span>{t('site.form.plain')}</span>;
}
