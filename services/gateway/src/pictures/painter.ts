import { createFairQueue } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { createWorkerThread, type WorkerThread } from '../worker-thread.js';
import type { PictureSubject } from './compose.js';

export interface Painter {
  /**
   * A PNG. Undefined after a failure or timeout.
   * @param site takes turns with others
   * @throws {AppError} `too_many_requests`, `unavailable` if too many wait
   */
  paint(subject: PictureSubject, site: string): Promise<Buffer | 'undrawable' | undefined>;
  close(): Promise<void>;
}

/** A drawing takes 0.3 s, but on a busy machine a thread of low priority gets little of it. */
const TIME_LIMIT_MS = 20_000;
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

/** @param isFair false in tests that ask from one address */
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
