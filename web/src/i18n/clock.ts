const UPDATE_INTERVAL = 30_000;

/** A device whose clock differs by more than this from the server's has a wrong one, in milliseconds. */
const TOLERANCE = 60_000;

let offset = 0;

/** The server's time: devices are hours off, and what has just arrived is not an hour old. */
export const serverTime = (): number => Date.now() + offset;

const listeners = new Set<() => void>();
let now = serverTime();
let timer: ReturnType<typeof setInterval> | undefined;

function update() {
  now = serverTime();
  for (const onChange of listeners) onChange();
}

/** @param date header of an answer that came just now */
export function noteServerTime(date: string | null): void {
  const found = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(found) || Math.abs(found - offset) < TOLERANCE) return;
  offset = Math.abs(found) < TOLERANCE ? 0 : found;
  update();
}

/** The time, for texts such as "3 minutes ago". All of them share one timer, which runs while any is shown. */
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
