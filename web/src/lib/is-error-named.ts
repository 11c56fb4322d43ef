export const isErrorNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** The user cancelled the passkey prompt, or it timed out. That is no failure. */
export const isPasskeyStopped = (error: unknown): boolean => isErrorNamed(error, 'NotAllowedError', 'AbortError');
