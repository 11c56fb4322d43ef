const INPUTS = ['pointerdown', 'pointermove', 'touchmove', 'wheel', 'keydown', 'scroll'] as const;

export function watchInput() {
  const ended = new AbortController();
  let last = performance.now();
  const note = () => {
    last = performance.now();
  };
  for (const type of INPUTS)
    window.addEventListener(type, note, { capture: true, passive: true, signal: ended.signal });
  return {
    isStill: (time: number) => performance.now() - last >= time,
    /** Waits until untouched for this long. Resolves to false once stopped. */
    async still(time: number): Promise<boolean> {
      do {
        const rest = Math.max(time - (performance.now() - last), 50);
        await new Promise((resolve) => setTimeout(resolve, rest));
      } while (!ended.signal.aborted && performance.now() - last < time);
      return !ended.signal.aborted;
    },
    stop: () => ended.abort(),
  };
}
