/** One piece of a run that is worked off in lanes. */
export interface LaneTask {
  /** Needs much of the machine: never two such tasks at once. */
  isHeavy?: boolean;
  run: () => Promise<void>;
}

/**
 * Runs tasks side by side. A lane that is free takes the first task in order that may run now.
 * @throws what the first task to fail throws, once every lane has ended; no lane takes another task then
 */
export async function runInLanes(tasks: readonly LaneTask[], lanes: number): Promise<void> {
  const queue = [...tasks];
  let isHeavyRunning = false;
  const work = async (): Promise<void> => {
    for (;;) {
      const index = queue.findIndex(({ isHeavy = false }) => !(isHeavy && isHeavyRunning));
      // Only heavy tasks may be left: the lane that runs one now takes the next.
      if (index === -1) return;
      const [task] = queue.splice(index, 1);
      const { isHeavy = false } = task ?? {};
      if (isHeavy) isHeavyRunning = true;
      try {
        await task?.run();
      } catch (error) {
        queue.length = 0;
        throw error;
      } finally {
        if (isHeavy) isHeavyRunning = false;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
