const UPDATE_INTERVAL = 30_000;

/** Beyond this, the device's clock is wrong, in milliseconds. */
const TOLERANCE = 60_000;

let offset = 0;

/** By the server's clock: devices are hours off. */
export const serverTime = (): number => Date.now() + offset;

const listeners = new Set<() => void>();
let now = serverTime();
let timer: ReturnType<typeof setInterval> | undefined;

function update() {
  now = serverTime();
  for (const onChange of listeners) onChange();
}

export function noteServerTime(date: string | null): void {
  const found = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(found) || Math.abs(found - offset) < TOLERANCE) return;
  offset = Math.abs(found) < TOLERANCE ? 0 : found;
  update();
}

/** For relative times. All share one timer, which runs while any is shown. */
export const clock = {
  now: () => now,
  subscribe: (onChange: () => void) => {
    if (listeners.size === 0) {
      now = serverTime();
      timer = setInterval(update, UPDATE_INTERVAL);
    }
    listeners.add(onChange);
    return () => {
      listeners.delete(onChange);
      if (listeners.size === 0) clearInterval(timer);
    };
  },
};
