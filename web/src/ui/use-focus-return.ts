import { useState } from 'react';

/** A menu closes with the choice of an entry, so its button counts. */
function findOpener(): Element | null {
  const button = document.activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return button == null ? document.activeElement : document.getElementById(button);
}

/** Radix does this only for its own triggers. @param onOpenerGone called instead if the opener is gone */
export function useFocusReturn(open: boolean, onOpenerGone?: () => void) {
  const [opener, setOpener] = useState<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  // Before the dialog mounts: a field in it may take the focus at once.
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpener(findOpener);
  }

  return (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    else onOpenerGone?.();
  };
}
