import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { onIdle, useOnDemand } from '../lib/on-demand.js';
import { ToastContext, type ToastContent } from './toast-context.js';
import type { CurrentToast } from './Toaster.js';

const loadToaster = async () => (await import('./Toaster.js')).Toaster;

/** Loads toasts when idle, or with the first one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { Part: Toaster, preload } = useOnDemand(loadToaster);
  const [shown, setShown] = useState<CurrentToast | null>(null);
  const [open, setOpen] = useState(false);

  const show = useCallback(
    (content: ToastContent) => {
      preload();
      setShown((last) => ({ id: (last?.id ?? 0) + 1, content }));
      setOpen(true);
    },
    [preload],
  );

  useEffect(() => onIdle(preload), [preload]);

  return (
    <ToastContext value={show}>
      {children}
      {/* An open dialog hides the page, and everything added to it, from assistive technology. */}
      {Toaster !== null && createPortal(<Toaster shown={shown} open={open} onOpenChange={setOpen} />, document.body)}
    </ToastContext>
  );
}
