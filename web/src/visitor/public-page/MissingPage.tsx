import { ButtonLink, NoticePage } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';

export function MissingPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('publicPage.missing'));
  return (
    <NoticePage title={t('publicPage.missing')} text={t('publicPage.missingText')}>
      <ButtonLink to="/" variant="primary">
        {t('common.action.backHome')}
      </ButtonLink>
    </NoticePage>
  );
}
