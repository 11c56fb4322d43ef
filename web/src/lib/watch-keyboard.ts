/** Below it the page makes room for the sheet, as its styles do where the keyboard takes part of the window. */
const SHORT = 480;
/** Bars of the browser are smaller than any keyboard. */
const KEYBOARD = 120;

/**
 * Notes on the document whether a keyboard lies over the page, and what is left to see, for browsers that do not make the window
 * smaller. @returns ends it
 */
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
  return () => {
    for (const event of events) visualViewport.removeEventListener(event, note);
    root.removeAttribute('data-keyboard');
    for (const name of ['--shown-top', '--shown-height']) root.style.removeProperty(name);
  };
}
