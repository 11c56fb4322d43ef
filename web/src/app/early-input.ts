declare global {
  interface Window {
    /** Ends the keeping of what is pressed. @returns the buttons and forms, each once (before-paint.js) */
    takePressed?: () => (HTMLButtonElement | HTMLFormElement)[];
  }
}

/** Buttons and forms that a person pressed on a rendered page before its scripts ran. */
export type Pressed = ReturnType<NonNullable<Window['takePressed']>>;

/**
 * Takes what was pressed early. Call it right before the page is hydrated: from then on React keeps it.
 *
 * @returns presses it again on the hydrated page
 */
export function takeEarlyInput(): () => void {
  const pressed = window.takePressed?.() ?? [];
  return () => {
    if (pressed.length > 0)
      void import('./repeat-input.js').then(({ repeatInput }) => {
        repeatInput(pressed);
      });
  };
}
