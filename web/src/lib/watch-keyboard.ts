/** Below it, styles make room for the sheet, as for a keyboard that shrinks the window. */
const SHORT = 480;
/** Browser bars are smaller than any keyboard. */
const KEYBOARD = 120;

/** For browsers whose keyboard overlays the page: notes it and the visible height on the document. @returns ends it */
export function watchKeyboard(): () => void {
  const { visualViewport } = window;
  if (visualViewport == null) return () => undefined;
  const { documentElement: root } = document;
  const note = () => {
    const { height, offsetTop } = visualViewport;
    const isOpen = height < SHORT && window.innerHeight - height > KEYBOARD;
    root.toggleAttribute('data-keyboard', isOpen);
    for (const [name, value] of [
      ['--shown-top', offsetTop],
      ['--shown-height', height],
    ] as const)
      if (isOpen) root.style.setProperty(name, `${String(value)}px`);
      else root.style.removeProperty(name);
  };
  const events = ['resize', 'scroll'] as const;
  for (const event of events) visualViewport.addEventListener(event, note);
  // It may have opened before this was loaded.
  note();
  return () => {
    for (const event of events) visualViewport.removeEventListener(event, note);
    root.removeAttribute('data-keyboard');
    for (const name of ['--shown-top', '--shown-height']) root.style.removeProperty(name);
  };
}
