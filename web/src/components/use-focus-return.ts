import { useState } from 'react';

/** Returns the focus to the element that opened a dialog. Radix does this only for its own triggers. */
export function useFocusReturn(open: boolean) {
  const [opener, setOpener] = useState<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  // Read the focus before the dialog mounts: a field in it may take the focus at once.
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpener(document.activeElement);
  }

  return (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement) opener.focus();
  };
}
