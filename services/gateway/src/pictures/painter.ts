import { createFairQueue } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { createWorkerThread, type WorkerThread } from '../worker-thread.js';
import type { PictureSubject } from './compose.js';

/** Draws pictures in a thread of its own, which lives while there are pictures to draw. */
export interface Painter {
  /**
   * A PNG, or that no font has all letters of its texts. Undefined if it is not done in time, or if drawing fails.
   * @param site takes turns with the others
   * @throws {AppError} `too_many_requests`, `unavailable` if too many wait
   */
  paint(subject: PictureSubject, site: string): Promise<Buffer | 'undrawable' | undefined>;
  close(): Promise<void>;
}

/** Usually a tenth of a second. */
const TIME_LIMIT_MS = 5_000;
const QUEUE_LIMITS = {
  capacity: 1,
  runningPerSender: 1,
  maxWaiting: 32,
  maxWaitMs: TIME_LIMIT_MS,
  retryAfter: 2,
};
const MAX_MEMORY_MB = 192;
const WAITING_PER_SITE = 16;
/** Fonts and the rasteriser take 150 MB. */
const IDLE_MS = 60_000;

/** @param isFair false for a test that asks for everything from one address */
export function createPainter(logger: Logger, { isFair }: { isFair: boolean }): Painter {
  let thread: WorkerThread<PictureSubject, Uint8Array | 'undrawable'> | undefined;
  const enqueue = createFairQueue({ ...QUEUE_LIMITS, waitingPerSender: isFair ? WAITING_PER_SITE : Infinity });
  return {
    async paint(subject, site) {
      thread ??= createWorkerThread(
        {
          module: new URL('./picture-thread', import.meta.url),
          timeLimitMs: TIME_LIMIT_MS,
          maxWaiting: QUEUE_LIMITS.maxWaiting,
          maxMemoryMb: MAX_MEMORY_MB,
          idleMs: IDLE_MS,
          failure: 'a picture could not be drawn',
        },
        logger,
      );
      const { run } = thread;
      const png = await enqueue({ sender: site }, () => run(subject));
      return png instanceof Uint8Array ? Buffer.from(png) : png;
    },
    close: async () => thread?.close(),
  };
}
