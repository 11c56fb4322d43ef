/** Below it the page makes room for the sheet, as its styles do where the keyboard takes part of the window. */
const SHORT = 480;
/** Bars of the browser are smaller than any keyboard. */
const KEYBOARD = 120;

/** Notes on the document whether a keyboard lies over the page, for browsers that do not make the window smaller. @returns ends it */
export function watchKeyboard(): () => void {
  const { visualViewport } = window;
  if (visualViewport == null) return () => undefined;
  const note = () => {
    const isOpen = visualViewport.height < SHORT && window.innerHeight - visualViewport.height > KEYBOARD;
    document.documentElement.toggleAttribute('data-keyboard', isOpen);
  };
  visualViewport.addEventListener('resize', note);
  return () => {
    visualViewport.removeEventListener('resize', note);
    document.documentElement.removeAttribute('data-keyboard');
  };
}
