let starting;

/** States of pages in which the browser suites of this process found no fault. */
export const sharedStates = new Set();

/** The system that all browser suites of this process share. The first suite starts it. */
export async function sharedSystem() {
  const { startTestSystem } = await import('../dist/index.js');
  return (starting ??= startTestSystem());
}

export async function stopSharedSystem() {
  const system = await starting?.catch(() => undefined);
  starting = undefined;
  await system?.stop();
}
