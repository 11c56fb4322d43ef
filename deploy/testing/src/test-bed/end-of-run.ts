const endings: (() => Promise<void>)[] = [];

/** Registers what keeps the process of a test run from ending. */
export const atEndOfRun = (end: () => Promise<void>): void => void endings.push(end);

/** Jest calls it in its own process, and ends its workers without. */
export async function endRun(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}
