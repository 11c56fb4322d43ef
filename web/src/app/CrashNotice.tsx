import { useEffect, useState } from 'react';
import { Button, NoticePage } from '../components/index.js';
import { useTranslation } from '../i18n/index.js';

/** Takes the place of a page that crashed, or that could not be loaded. */
export function CrashNotice() {
  const { t } = useTranslation();
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    // It came with the toasts.
    import('../lib/replaced.js').then(({ loadNewBuild }) => loadNewBuild()).then(setOld, () => undefined);
  }, []);
  return (
    <NoticePage
      title={t(isOld ? 'common.failure.replaced' : 'common.failure.page')}
      text={t(isOld ? 'common.failure.replacedText' : 'common.failure.pageText')}
    >
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
