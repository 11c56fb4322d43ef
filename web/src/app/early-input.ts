declare global {
  interface Window {
    /** Ends the keeping of what is pressed. @returns the buttons and forms, each once (before-paint.js) */
    takePressed?: () => (HTMLButtonElement | HTMLFormElement)[];
  }
}

const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea';

/** Texts and presses of a person on a rendered page, from before its scripts ran. */
export interface EarlyInput {
  written: { field: HTMLInputElement | HTMLTextAreaElement; value: string }[];
  pressed: (HTMLButtonElement | HTMLFormElement)[];
}

/**
 * Takes the early input. Call it right before the page is hydrated: from then on React keeps it.
 *
 * @returns repeats it on the hydrated page
 */
export function takeEarlyInput(root: HTMLElement): () => void {
  const written = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)]
    .map((field) => ({ field, value: field.value }))
    .filter(({ field, value }) => value !== field.defaultValue);
  const pressed = window.takePressed?.() ?? [];
  return () => {
    if (written.length + pressed.length > 0)
      void import('./repeat-input.js').then(({ repeatInput }) => {
        repeatInput({ written, pressed });
      });
  };
}
