import { AppError } from '@najwa/common/errors';
import { createFairQueue } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { createWorkerThread } from '../worker-thread.js';

export type Language = 'ar' | 'en';

export interface ServiceError {
  status: number;
  code: string;
  message: string;
  fields?: Record<string, string> | undefined;
  minimumDays?: number | undefined;
  maxBytes?: number | undefined;
  retryAfter: number | null;
}

export interface Unsent {
  content: string;
  isLater?: boolean;
  error: ServiceError;
}

export interface WayBackRequest {
  language: Language;
  token: string;
  data: WayBackData;
  renderedAt: number;
}

export type WayBackAct = 'delete' | 'end';

export interface WayBackData {
  wayBack: object | null;
  /** By a form without scripts. No outcome: its question is shown. */
  asked?: { act: WayBackAct; outcome?: 'done' | ServiceError };
  unsent?: Unsent;
}

export interface SignInRequest {
  language: Language;
  path: string;
  data: SignInData;
  renderedAt: number;
}

export interface SignInData {
  refused?: {
    kept: Record<string, string>;
    error: ServiceError | 'no_cookies';
  };
  /** At the requested host. `codes` is null without any. */
  created?: { username: string; host: string; codes: string[] | null };
}

export type RenderTask = { page: RenderRequest } | { wayBack: WayBackRequest } | { signIn: SignInRequest };

/** The client renders the same first, so that it can hydrate. */
export interface RenderRequest {
  language: Language;
  pathname: string;
  username: string;
  data: { profile: object | null; messages?: object | undefined; unsent?: Unsent | undefined };
  asked?: number;
  /** Milliseconds. Relative times begin here. */
  renderedAt: number;
}

export interface Rendered {
  body: string;
  styles: string;
  title?: string;
}

const TIME_LIMIT_MS = 2_000;
const QUEUE_LIMITS = {
  capacity: 1,
  runningPerSender: 1,
  maxWaiting: 64,
  maxWaitMs: 5_000,
  retryAfter: 2,
};
/** Leaves room for three other sites. */
const WAITING_PER_SITE = 16;
const MAX_MEMORY_MB = 192;

export interface RendererOptions {
  /** False in tests that ask from one address. */
  isFair: boolean;
  timeLimitMs?: number;
}

export class Renderer {
  readonly #thread;
  readonly #enqueue;

  constructor(code: string, logger: Logger, { isFair, timeLimitMs = TIME_LIMIT_MS }: RendererOptions) {
    this.#thread = createWorkerThread<RenderTask, Rendered>(
      {
        module: new URL('./render-thread', import.meta.url),
        workerData: code,
        timeLimitMs,
        maxWaiting: QUEUE_LIMITS.maxWaiting,
        maxMemoryMb: MAX_MEMORY_MB,
        failure: 'a page could not be rendered',
      },
      logger,
    );
    this.#enqueue = createFairQueue({ ...QUEUE_LIMITS, waitingPerSender: isFair ? WAITING_PER_SITE : Infinity });
  }

  /**
   * Undefined after a failure or timeout, or if too many wait.
   * @param site takes turns with others
   */
  render(task: RenderTask, site: string): Promise<Rendered | undefined> {
    return this.#enqueue({ sender: site }, () => this.#thread.run(task)).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
  }
  close(): Promise<void> {
    return this.#thread.close();
  }
}
