const PROGRESS_INTERVAL_MS = 10_000;

/** @type {(milliseconds: number) => string} */
const clock = (milliseconds) => {
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/**
 * @param {number} milliseconds
 * @returns {string} elapsed time for people: 0.4 s, 12 s, 2 min 5 s
 */
export const elapsed = (milliseconds) => {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
};

/**
 * Writes lines with the time since the start. A step that takes long reports itself every ten seconds.
 * @param {NodeJS.WritableStream} [stream]
 * @returns {import('../reporter.js').Reporter}
 */
export function createReporter(stream = process.stdout) {
  const startedAt = performance.now();
  const say = (/** @type {string} */ line) => {
    stream.write(`[${clock(performance.now() - startedAt)}] ${line}\n`);
  };
  return {
    say,
    step(name) {
      const begun = performance.now();
      const taken = () => elapsed(performance.now() - begun);
      let activity = '';
      const progress = setInterval(
        () => say(`${name}: ${activity || 'working'} (${taken()} so far)`),
        PROGRESS_INTERVAL_MS,
      );
      return {
        doing(what) {
          if (what === activity) return;
          activity = what;
          say(`${name}: ${what}`);
        },
        progress(what) {
          activity = what;
        },
        done(result) {
          clearInterval(progress);
          say(`${name}: ${result ?? 'done'} (${taken()})`);
        },
        fail(reason) {
          clearInterval(progress);
          say(`${name}: ${reason ?? 'failed'} (${taken()})`);
        },
      };
    },
  };
}
