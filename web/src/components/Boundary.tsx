import { Component, type ReactNode, Suspense } from 'react';

interface Props {
  notice: ReactNode;
  resetKey?: string | undefined;
  onFailure?: (() => void) | undefined;
  children: ReactNode;
}

/** Contains crashes and failed loads. React logs the error. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    this.props.onFailure?.();
  }

  override componentDidUpdate({ resetKey }: Props) {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.notice : this.props.children;
  }
}

/** A part that the page can do without: its failure must not discard typed input. */
export function Optional({ fallback = null, children, ...boundary }: Omit<Props, 'notice'> & { fallback?: ReactNode }) {
  return (
    <Boundary notice={fallback} {...boundary}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}
