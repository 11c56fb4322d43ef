import type { Logger } from '@najwa/common';
import { createWorkerThread, type WorkerThread } from '../worker-thread.js';
import type { PictureSubject } from './compose.js';

/** Draws pictures in a thread of its own, which lives while there are pictures to draw. */
export interface Painter {
  /**
   * A PNG, or that no font has all letters of its texts. Undefined if it is not done in time, if too many wait, or if
   * drawing fails.
   */
  paint(subject: PictureSubject): Promise<Buffer | 'undrawable' | undefined>;
  close(): Promise<void>;
}

/** Usually a tenth of a second. */
const TIME_LIMIT_MS = 5_000;
const MAX_WAITING = 32;
const MAX_MEMORY_MB = 192;
/** Fonts and the rasteriser take 150 MB. */
const IDLE_MS = 60_000;

export function createPainter(logger: Logger): Painter {
  let thread: WorkerThread<PictureSubject, Uint8Array | 'undrawable'> | undefined;
  return {
    async paint(subject) {
      thread ??= createWorkerThread(
        {
          module: new URL('./picture-thread', import.meta.url),
          timeLimitMs: TIME_LIMIT_MS,
          maxWaiting: MAX_WAITING,
          maxMemoryMb: MAX_MEMORY_MB,
          idleMs: IDLE_MS,
          failure: 'a picture could not be drawn',
        },
        logger,
      );
      const png = await thread.run(subject);
      return png instanceof Uint8Array ? Buffer.from(png) : png;
    },
    close: async () => thread?.close(),
  };
}
