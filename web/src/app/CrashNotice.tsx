import { Button, NoticePage } from '../components/index.js';
import { useTranslation } from '../i18n/index.js';

export function CrashNotice() {
  const { t } = useTranslation();
  return (
    <NoticePage title={t('common.failure.page')} text={t('common.failure.pageText')}>
      <Button
        variant="primary"
        onClick={() => {
          window.location.reload();
        }}
      >
        {t('common.failure.reload')}
      </Button>
    </NoticePage>
  );
}
