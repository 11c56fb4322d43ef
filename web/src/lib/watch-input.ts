const INPUTS = ['pointerdown', 'pointermove', 'touchmove', 'wheel', 'keydown', 'scroll'] as const;

/** Knows when the page was last touched. */
export function watchInput() {
  const ended = new AbortController();
  let last = performance.now();
  const note = () => {
    last = performance.now();
  };
  for (const type of INPUTS)
    window.addEventListener(type, note, { capture: true, passive: true, signal: ended.signal });
  return {
    /** Nobody has touched it for a time, in milliseconds. */
    isStill: (time: number) => performance.now() - last >= time,
    /** Waits until nobody has touched it for a time. Resolves to false once it is stopped. */
    async still(time: number): Promise<boolean> {
      do {
        const rest = Math.max(time - (performance.now() - last), 50);
        await new Promise((resolve) => setTimeout(resolve, rest));
      } while (!ended.signal.aborted && performance.now() - last < time);
      return !ended.signal.aborted;
    },
    stop: () => {
      ended.abort();
    },
  };
}
