import { useState } from 'react';

/** Gives the focus back to what opened a dialog. Radix does that for its own triggers alone, and ours open from anywhere. */
export function useReturnedFocus(open: boolean) {
  const [opener, setOpener] = useState<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  // Before the dialog is there: a field in it may take the focus as soon as it is.
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpener(document.activeElement);
  }

  return (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement) opener.focus();
  };
}
