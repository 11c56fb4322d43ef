/** A task for `runInLanes`. */
export interface LaneTask {
  /** Heavy tasks run one at a time beside others, and `HEAVY_ALONE` at a time when nothing else is left. */
  isHeavy?: boolean;
  run: () => Promise<void>;
}

/** Each keeps about one core busy. */
const HEAVY_ALONE = 2;

/**
 * Runs tasks in parallel lanes. A free lane takes the first task that may run now.
 * @throws the error of the first failed task, after all lanes have ended; no more tasks are started then
 */
export async function runInLanes(tasks: readonly LaneTask[], lanes: number): Promise<void> {
  const queue = [...tasks];
  let heavyRunning = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const mostHeavy = queue.every(({ isHeavy = false }) => isHeavy) ? HEAVY_ALONE : 1;
      const index = queue.findIndex(({ isHeavy = false }) => !isHeavy || heavyRunning < mostHeavy);
      // Only heavy tasks are left. The lanes that run some now take the next.
      if (index === -1) return;
      const [task] = queue.splice(index, 1);
      const { isHeavy = false } = task ?? {};
      if (isHeavy) heavyRunning += 1;
      try {
        await task?.run();
      } catch (error) {
        queue.length = 0;
        throw error;
      } finally {
        if (isHeavy) heavyRunning -= 1;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
