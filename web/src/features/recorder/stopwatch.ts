/** Measures seconds, without the time in which it is halted. */
export function createStopwatch() {
  let measured = 0;
  let since: number | null = performance.now();

  const seconds = () => (measured + (since === null ? 0 : performance.now() - since)) / 1000;

  return {
    seconds,
    halt: () => {
      measured = seconds() * 1000;
      since = null;
    },
    go: () => {
      since ??= performance.now();
    },
  };
}
