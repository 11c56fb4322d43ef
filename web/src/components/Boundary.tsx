import { Component, type ReactNode, Suspense } from 'react';

interface Props {
  /** Takes the place of what crashed or could not be loaded. */
  notice: ReactNode;
  /** Another value tries again. */
  resetKey?: string | undefined;
  onFailure?: (() => void) | undefined;
  children: ReactNode;
}

/** Keeps the rest of the page when a part crashes or cannot be loaded. React logs the error itself. */
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

/** A part that is loaded on demand, and that the page can do without: what somebody writes must not go with it. */
export function Optional({ fallback = null, children, ...boundary }: Omit<Props, 'notice'> & { fallback?: ReactNode }) {
  return (
    <Boundary notice={fallback} {...boundary}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}
