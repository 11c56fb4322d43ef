/** A task for `runInLanes`. */
export interface LaneTask {
  /** Heavy tasks never run concurrently. */
  isHeavy?: boolean;
  run: () => Promise<void>;
}

/**
 * Runs tasks in parallel lanes. A free lane takes the first task that may run now.
 * @throws the error of the first failed task, after all lanes have ended; no more tasks are started then
 */
export async function runInLanes(tasks: readonly LaneTask[], lanes: number): Promise<void> {
  const queue = [...tasks];
  let isHeavyRunning = false;
  const work = async (): Promise<void> => {
    for (;;) {
      const index = queue.findIndex(({ isHeavy = false }) => !(isHeavy && isHeavyRunning));
      // Only heavy tasks are left. The lane that runs one now takes the next.
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
