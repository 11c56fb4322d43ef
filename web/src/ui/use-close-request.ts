import { useEffect, useEffectEvent } from 'react';

interface CloseWatcher extends EventTarget {
  destroy: () => void;
}

/** Android's Back button closes what is open instead of leaving the page with unsent text. */
export function useCloseRequest(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher };
    if (!open || CloseWatcher === undefined) return;
    const watcher = new CloseWatcher();
    watcher.addEventListener('close', () => close());
    return () => watcher.destroy();
  }, [open]);
}
