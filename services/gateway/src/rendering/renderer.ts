import { AppError } from '@najwa/common/errors';
import { createFairQueue } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { createWorkerThread } from '../worker-thread.js';

export type Language = 'ar' | 'en';

/** An error of a service, for a page that says what happened. */
export interface ServiceError {
  status: number;
  code: string;
  message: string;
  fields?: Record<string, string> | undefined;
  minimumDays?: number | undefined;
  maxBytes?: number | undefined;
  retryAfter: number | null;
}

/** A message that its form could not send. */
export interface Unsent {
  content: string;
  error: ServiceError;
}

/** The page of a way back, as the client renders it. */
export interface WayBackRequest {
  language: Language;
  token: string;
  data: WayBackData;
  renderedAt: number;
}

export interface WayBackData {
  /** The answer of messages. Null if there is no such message. */
  wayBack: object | null;
  /** How far deleting it has come, without scripts. */
  deletion?: 'asked' | 'done' | ServiceError;
}

/** The page with the forms of sign-in and registration, after one of them was sent. */
export interface SignInRequest {
  language: Language;
  /** With the query that names the form. */
  path: string;
  data: SignInData;
  renderedAt: number;
}

export interface SignInData {
  refused?: {
    /** Fields as they were typed. */
    kept: Record<string, string>;
    error: ServiceError | 'no_cookies';
  };
  /** The account that was made, at the host where it was asked for. Its codes are null if there are none. */
  created?: { username: string; host: string; codes: string[] | null };
}

export type RenderTask = { page: RenderRequest } | { wayBack: WayBackRequest } | { signIn: SignInRequest };

/** Renders with the client's bundle. The client does the same with it first, so that it can take the HTML over. */
export interface RenderRequest {
  language: Language;
  pathname: string;
  username: string;
  data: { profile: object | null; messages?: object | undefined; unsent?: Unsent | undefined };
  /** Id of the owner's question to show. */
  asked?: number;
  /** In milliseconds. Texts such as "3 minutes ago" begin with it. */
  renderedAt: number;
}

export interface Rendered {
  /** Content of the root element. */
  body: string;
  /** Style element for the head. */
  styles: string;
  /** Of a page whose title depends on what was sent. */
  title?: string;
}

/** Renders pages in a thread of its own. */
export interface Renderer {
  /**
   * Undefined if it is not done in time, if too many wait, or if rendering fails.
   * @param site takes turns with the others
   */
  render: (task: RenderTask, site: string) => Promise<Rendered | undefined>;
  close: () => Promise<void>;
}

const TIME_LIMIT_MS = 2_000;
const QUEUE_LIMITS = {
  capacity: 1,
  runningPerSender: 1,
  maxWaiting: 64,
  // A thread that was replaced loads its code first.
  maxWaitMs: 5_000,
  retryAfter: 2,
};
/** Leaves room for three other sites. */
const WAITING_PER_SITE = 16;
const MAX_MEMORY_MB = 192;

export interface RendererOptions {
  /** False for a test that asks for everything from one address. */
  isFair: boolean;
  timeLimitMs?: number;
}

/** @param code the client's bundle for servers */
export function createRenderer(
  code: string,
  logger: Logger,
  { isFair, timeLimitMs = TIME_LIMIT_MS }: RendererOptions,
): Renderer {
  const { run, close } = createWorkerThread<RenderTask, Rendered>(
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
  const enqueue = createFairQueue({ ...QUEUE_LIMITS, waitingPerSender: isFair ? WAITING_PER_SITE : Infinity });
  return {
    render: (task, site) =>
      enqueue({ sender: site }, () => run(task)).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      }),
    close,
  };
}
