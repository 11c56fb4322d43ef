import { Component, type ComponentType, memo, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../lib/on-demand.js';

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

/** One that loads later. A parent update would replace the server's HTML by the fallback until then. */
export function optionalPart<Props extends object>(importPart: () => Promise<ComponentType<Props>>) {
  const Part = lazyPart(importPart);
  return memo(function OptionalPart(props: Props) {
    return (
      <Optional>
        <Part {...props} />
      </Optional>
    );
  });
}
