const endings: (() => Promise<void>)[] = [];

/** For what keeps the process alive. */
export const atEndOfRun = (end: () => Promise<void>): void => void endings.push(end);

/** Jest calls it in its own process, not in workers. */
export async function endRun(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}
