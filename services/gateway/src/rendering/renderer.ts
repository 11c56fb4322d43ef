import type { Logger } from '@najwa/common';
import { createWorkerThread } from '../worker-thread.js';

export type Language = 'ar' | 'en';

/** Renders with the client's bundle. The client does the same with it first, so that it can take the HTML over. */
export interface RenderRequest {
  language: Language;
  pathname: string;
  username: string;
  data: { profile: object | null; messages?: object | undefined };
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
}

/** Renders pages in a thread of its own. */
export interface Renderer {
  /** Undefined if it is not done in time, if too many wait, or if rendering fails. */
  render: (request: RenderRequest) => Promise<Rendered | undefined>;
  close: () => Promise<void>;
}

const TIME_LIMIT_MS = 2_000;
const MAX_WAITING = 64;
const MAX_MEMORY_MB = 192;

/** @param code the client's bundle for servers */
export function createRenderer(code: string, logger: Logger, timeLimitMs = TIME_LIMIT_MS): Renderer {
  const { run, close } = createWorkerThread<RenderRequest, Rendered>(
    {
      module: new URL('./render-thread', import.meta.url),
      workerData: code,
      timeLimitMs,
      maxWaiting: MAX_WAITING,
      maxMemoryMb: MAX_MEMORY_MB,
      failure: 'a page could not be rendered',
    },
    logger,
  );
  return { render: run, close };
}
