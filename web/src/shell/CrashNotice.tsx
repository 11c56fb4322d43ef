import { useEffect } from 'react';
import { Button, NoticePage, PAGE_FAILED } from '../ui/index.js';
import { useTranslation } from '../i18n/index.js';

export function CrashNotice() {
  const { t } = useTranslation();
  useEffect(() => {
    dispatchEvent(new Event(PAGE_FAILED));
  }, []);
  return (
    <NoticePage title={t('common.failure.page')} text={t('common.failure.pageText')}>
      <Button variant="primary" onClick={() => window.location.reload()}>
        {t('common.failure.reload')}
      </Button>
    </NoticePage>
  );
}
