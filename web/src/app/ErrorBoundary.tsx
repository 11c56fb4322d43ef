import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, NoticePage } from '../components/index.js';

/** Keeps the header when a page crashes and offers a reload. React logs the error itself. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <CrashNotice /> : this.props.children;
  }
}

function CrashNotice() {
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
