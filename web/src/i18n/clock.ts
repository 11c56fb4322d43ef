const UPDATE_INTERVAL = 30_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function update() {
  now = Date.now();
  for (const onChange of listeners) onChange();
}

/** The time, for texts such as "3 minutes ago". All of them share one timer, which runs while any is shown. */
export const clock = {
  now: () => now,
  subscribe: (onChange: () => void) => {
    if (listeners.size === 0) {
      now = Date.now();
      timer = setInterval(update, UPDATE_INTERVAL);
    }
    listeners.add(onChange);
    return () => {
      listeners.delete(onChange);
      if (listeners.size === 0) clearInterval(timer);
    };
  },
};
