import { Component, lazy, type ReactNode, Suspense } from 'react';

const CrashNotice = lazy(async () => ({ default: (await import('./CrashNotice.js')).CrashNotice }));

/** Keeps the header when a page crashes and offers a reload. React logs the error itself. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Suspense fallback={null}>
        <CrashNotice />
      </Suspense>
    );
  }
}
