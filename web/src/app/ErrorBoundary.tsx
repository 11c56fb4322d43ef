import { Component, type ReactNode } from 'react';
import { CrashNotice } from './CrashNotice.js';

interface Props {
  pathname: string;
  children: ReactNode;
}

/** Keeps the header when a page crashes, or cannot be loaded, and offers a reload. React logs the error itself. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate({ pathname }: Props) {
    if (this.state.failed && pathname !== this.props.pathname) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? <CrashNotice /> : this.props.children;
  }
}
