import { PAGE_HEADERS, SECRET_PAGE_HEADERS } from '@najwa/common/http';
import type { Logger } from '@najwa/common/logging';
import { trackingEnvironment, type TrackingMode } from '@najwa/common/retention';
import { z } from 'zod';
import type { Upstreams } from '../clients/upstreams.js';
import type { Headers } from '../public/answer.js';
import { createRenderer, type Renderer } from './renderer.js';

export interface ClientBuild {
  version: string;
  /** With `<!--head-->` and `<!--body-->`. */
  shells: Record<'ar' | 'en', string>;
  headers: Headers;
  /** For pages whose address is a secret. */
  secret: { shells: Record<'ar' | 'en', string>; headers: Headers };
  signInShells: Record<'ar' | 'en', string>;
  renderer: Renderer;
}

export interface ClientBuilds {
  current(): ClientBuild | undefined;
  load(): Promise<ClientBuild>;
  start(): void;
  stop(): Promise<void>;
}

const PATH = '/server/render.json';
const REFRESH_MS = 5_000;
/** During a rollout, the web container alternates between two builds. */
const MAX_BUILDS = 2;

const HEADERS = Object.keys(PAGE_HEADERS);

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
  /** What its pages say is kept of callers. */
  tracking: trackingEnvironment.TRACKING,
  code: z.string(),
});

/**
 * Renderer and HTML of one build, in one file of the web container. A build stays in use while the container is down.
 */
export function createClientBuilds(
  upstreams: Pick<Upstreams, 'read'>,
  logger: Logger,
  { isFair, tracking }: { isFair: boolean; tracking: TrackingMode },
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
    const file = buildFile.parse(JSON.parse(body.toString('utf8')));
    const { version, shells, secretShells, signInShells, code } = file;
    if (file.tracking !== tracking && !builds.has(version))
      logger.error({ pages: file.tracking, tracking }, 'pages say something else of tracking than what is done');
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
      renderer: createRenderer(code, logger, { isFair }),
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
