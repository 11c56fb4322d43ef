import type { FairQueue } from './fair-queue.js';
import type { Metrics } from '../metrics/metrics.js';
import { currentSpan } from '../logging/logger.js';
import { errorTypeOf, withSpan } from '../tracing/tracing.js';

export function measureQueue(queue: FairQueue, name: string, metrics: Metrics): FairQueue {
  const labels = { queue: name };
  return async (task, run) => {
    const wait = currentSpan()?.child(`wait for ${name}`, 'internal');
    const stopWait = metrics.workQueueWait.startTimer(labels);
    metrics.workQueueWaiting.inc(labels);
    const progress = { hasStarted: false };
    const start = async (): ReturnType<typeof run> => {
      progress.hasStarted = true;
      wait?.end();
      stopWait();
      metrics.workQueueWaiting.dec(labels);
      metrics.workQueueRunning.inc(labels);
      const stopRun = metrics.workQueueRun.startTimer(labels);
      try {
        return await withSpan(name, run);
      } finally {
        stopRun();
        metrics.workQueueRunning.dec(labels);
      }
    };
    try {
      return await queue(task, start);
    } catch (error) {
      if (!progress.hasStarted) {
        wait?.end({ error: errorTypeOf(error) });
        metrics.workQueueWaiting.dec(labels);
        metrics.workQueueRefused.inc(labels);
      }
      throw error;
    }
  };
}
