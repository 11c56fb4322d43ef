/** True if an error of the browser has one of these names. */
export const isErrorNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** True if somebody closed the browser's question for a passkey, or let it run out. That is no failure. */
export const isPasskeyStopped = (error: unknown): boolean => isErrorNamed(error, 'NotAllowedError', 'AbortError');
