const PROGRESS_EVERY_MS = 10_000;

const clock = (milliseconds) => {
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Elapsed time for people: 0.4 s, 12 s, 2 min 5 s. */
export const elapsed = (milliseconds) => {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
};

/**
 * Says on a stream what is being done, each line with the time since the beginning. A step that takes long says so every ten seconds.
 * It implements the Reporter of ../../src/reporter.ts, and is plain JavaScript because it runs before anything is compiled.
 */
export function createReporter(stream = process.stdout) {
  const startedAt = performance.now();
  const say = (line) => stream.write(`[${clock(performance.now() - startedAt)}] ${line}\n`);
  return {
    say,
    step(name) {
      const begun = performance.now();
      const taken = () => elapsed(performance.now() - begun);
      let activity = '';
      const progress = setInterval(
        () => say(`${name}: ${activity || 'working'} (${taken()} so far)`),
        PROGRESS_EVERY_MS,
      );
      return {
        doing(what) {
          if (what === activity) return;
          activity = what;
          say(`${name}: ${what}`);
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
