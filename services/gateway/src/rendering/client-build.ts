import { PAGE_HEADERS, SECRET_PAGE_HEADERS } from '@najwa/common/http';
import type { Logger } from '@najwa/common/logging';
import { z } from 'zod';
import type { Upstreams } from '../clients/upstreams.js';
import type { Headers } from '../public/answer.js';
import { createRenderer, type Renderer } from './renderer.js';

/** A build of the web client, as far as pages of accounts need it. */
export interface ClientBuild {
  version: string;
  /** HTML of the page by language, with the places `<!--head-->` and `<!--body-->`. */
  shells: Record<'ar' | 'en', string>;
  /** Headers with which the web container sends pages. */
  headers: Headers;
  /** The same for pages whose address is a secret. */
  secret: { shells: Record<'ar' | 'en', string>; headers: Headers };
  /** HTML of the page with the forms of sign-in and registration, by language. */
  signInShells: Record<'ar' | 'en', string>;
  renderer: Renderer;
}

export interface ClientBuilds {
  /** The newest build that was seen. */
  current(): ClientBuild | undefined;
  /** The same, loaded now if there was none. @throws {AppError} `unavailable` */
  load(): Promise<ClientBuild>;
  start(): void;
  stop(): Promise<void>;
}

const PATH = '/server/render.json';
const REFRESH_MS = 5_000;
/** While the client is replaced, the web container answers with the old and the new build in turn. */
const MAX_BUILDS = 2;

/** In the web container's answer. */
const HEADERS = Object.keys(PAGE_HEADERS);

/** Headers with other values on pages whose address is a secret. */
const SECRET = Object.entries(SECRET_PAGE_HEADERS).filter(
  ([name, value]) => PAGE_HEADERS[name as keyof typeof PAGE_HEADERS] !== value,
);

const secretHeadersOf = (headers: Headers): Headers => [
  ...headers.filter(([name]) => !SECRET.some(([secret]) => secret === name)),
  ...SECRET,
];

const buildFile = z.object({
  version: z.string().min(1),
  shells: z.object({ ar: z.string(), en: z.string() }),
  secretShells: z.object({ ar: z.string(), en: z.string() }),
  signInShells: z.object({ ar: z.string(), en: z.string() }),
  code: z.string(),
});

/**
 * The client's code for rendering and its HTML, in one file of the web container, so that both are of one build. A build
 * stays in use while the container is away.
 */
export function createClientBuilds(
  upstreams: Pick<Upstreams, 'read'>,
  logger: Logger,
  fairness: { isFair: boolean },
): ClientBuilds {
  const builds = new Map<string, ClientBuild>();
  let newest: ClientBuild | undefined;
  let entityTag: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let flight: Promise<ClientBuild> | undefined;

  const fetch = async (): Promise<ClientBuild> => {
    const { statusCode, headers, body } = await upstreams.read('web', {
      path: PATH,
      headers: newest && entityTag !== undefined ? { 'if-none-match': entityTag } : {},
    });
    if (statusCode === 304 && newest) return newest;
    if (statusCode !== 200) throw new Error(`The web container answered ${statusCode}.`);
    const { version, shells, secretShells, signInShells, code } = buildFile.parse(JSON.parse(body.toString('utf8')));
    entityTag = headers['etag']?.toString();
    const known = builds.get(version);
    const pageHeaders = [
      ['content-type', 'text/html; charset=utf-8'] as const,
      ...HEADERS.map((name) => [name, headers[name]?.toString() ?? ''] as const).filter(([, value]) => value !== ''),
    ];
    builds.delete(version);
    newest = known ?? {
      version,
      shells,
      headers: pageHeaders,
      secret: { shells: secretShells, headers: secretHeadersOf(pageHeaders) },
      signInShells,
      renderer: createRenderer(code, logger, fairness),
    };
    builds.set(version, newest);
    for (const [old, { renderer }] of builds) {
      if (builds.size <= MAX_BUILDS) break;
      builds.delete(old);
      void renderer.close();
    }
    return newest;
  };

  const refresh = (): Promise<ClientBuild> => (flight ??= fetch().finally(() => (flight = undefined)));
  const tick = (): void => {
    refresh()
      .catch(() => undefined)
      .finally(() => {
        if (timer !== undefined) timer = setTimeout(tick, REFRESH_MS).unref();
      });
  };

  return {
    current: () => newest,
    load: () => (newest ? Promise.resolve(newest) : refresh()),
    start() {
      timer = setTimeout(tick, 0).unref();
    },
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await Promise.all([...builds.values()].map(({ renderer }) => renderer.close()));
    },
  };
}
