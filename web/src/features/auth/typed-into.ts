/**
 * The text that a field of the server's HTML holds before it is hydrated. Forms begin with it: what they set later would replace
 * what was typed since.
 */
export const typedInto = (name: string): string =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLInputElement>(`#root[data-rendered] [name="${name}"]`)?.value ?? '');
