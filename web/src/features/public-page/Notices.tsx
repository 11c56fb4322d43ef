import { useErrorText } from '../../app/use-error-text.js';
import { Button, ButtonLink, NoticePage } from '../../components/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';

/** The page of a username that nobody has. */
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

interface FailureProps {
  error: unknown;
  retrying: boolean;
  retry: () => void;
}

export function LoadFailure({ error, retrying, retry }: FailureProps) {
  const { t } = useTranslation();
  const errors = useErrorText();
  return (
    <NoticePage title={t('common.failure.page')} text={errors.text(error)}>
      <Button busy={retrying ? t('common.action.loading') : undefined} onClick={retry}>
        {t('common.action.retry')}
      </Button>
    </NoticePage>
  );
}
