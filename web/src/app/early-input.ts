import type { Pressed } from './repeat-input.js';

declare global {
  interface Window {
    /** Ends the keeping of what is pressed. @returns the buttons and forms, each once (before-paint.js) */
    takePressed?: () => Pressed;
  }
}

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
