import { useEffect, useEffectEvent } from 'react';

/** https://html.spec.whatwg.org/#the-closewatcher-interface, of Chrome. */
interface CloseWatcher extends EventTarget {
  destroy: () => void;
}

/** Lets the Back button of Android close what is open, instead of leaving the page with what was written. */
export function useCloseRequest(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher };
    if (!open || CloseWatcher === undefined) return;
    const watcher = new CloseWatcher();
    watcher.addEventListener('close', () => {
      close();
    });
    return () => {
      watcher.destroy();
    };
  }, [open]);
}
