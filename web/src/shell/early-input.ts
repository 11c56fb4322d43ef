import type { Pressed } from './repeat-input.js';

declare global {
  interface Window {
    /** Stops recording. @returns buttons and forms, each once (before-paint.js) */
    takePressed?: () => Pressed;
  }
}

/** Call right before hydration: from then on React keeps events. @returns replays them on the hydrated page */
export function takeEarlyInput(): () => void {
  const pressed = window.takePressed?.() ?? [];
  return () => {
    if (pressed.length > 0) void import('./repeat-input.js').then(({ repeatInput }) => repeatInput(pressed));
  };
}
