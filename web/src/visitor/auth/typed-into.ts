/** Value of a field of the server's HTML. Forms start with it: setting it later would overwrite newer input. */
export const typedInto = (name: string): string => fieldOf(name)?.value ?? '';

export const isTicked = (name: string): boolean => fieldOf(name)?.checked === true;

const fieldOf = (name: string): HTMLInputElement | null =>
  typeof document === 'undefined' ? null : document.querySelector(`#root[data-rendered] [name="${name}"]`);
