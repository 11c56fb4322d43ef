import { useLayoutEffect, useState } from 'react';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of any calls
type Calls = Record<string, (...args: any[]) => unknown>;

function createStable<T extends Calls>(first: T) {
  let latest: Calls = first;
  const stable = Object.fromEntries(
    Object.keys(first).map((name) => [name, (...args: unknown[]) => latest[name]?.(...args)]),
  ) as T;
  return {
    stable,
    update: (calls: T) => {
      latest = calls;
    },
  };
}

/** Stable functions that call the latest ones, for memoised cards. */
export function useStableCalls<T extends Calls>(calls: T): T {
  const [{ stable, update }] = useState(() => createStable(calls));
  useLayoutEffect(() => {
    update(calls);
  });
  return stable;
}
