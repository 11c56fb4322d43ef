/**
 * The text that a field of the server's HTML holds before it is hydrated. Forms begin with it: what they set later would replace
 * what was typed since.
 */
export const typedInto = (name: string): string => fieldOf(name)?.value ?? '';

/** The same for a checkbox. */
export const isTicked = (name: string): boolean => fieldOf(name)?.checked === true;

const fieldOf = (name: string): HTMLInputElement | null =>
  typeof document === 'undefined' ? null : document.querySelector(`#root[data-rendered] [name="${name}"]`);
