import { PAGE_HEADERS, SECRET_PAGE_HEADERS } from '@najwa/common/http';
import type { Logger } from '@najwa/common/logging';
import { trackingEnvironment, type TrackingMode } from '@najwa/common/retention';
import { z } from 'zod';
import type { Upstreams } from '../clients/upstreams.js';
import type { Headers } from '../public/answer.js';
import { Renderer } from './renderer.js';

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

export interface BuildDeps {
  upstreams: Pick<Upstreams, 'read'>;
  logger: Logger;
  /** False in tests that ask from one address. */
  isFair: boolean;
  tracking: TrackingMode;
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
export class ClientBuilds {
  readonly #deps;
  readonly #builds = new Map<string, ClientBuild>();
  #newest: ClientBuild | undefined;
  #entityTag: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #flight: Promise<ClientBuild> | undefined;

  constructor(deps: BuildDeps) {
    this.#deps = deps;
  }

  current(): ClientBuild | undefined {
    return this.#newest;
  }
  load(): Promise<ClientBuild> {
    return this.#newest ? Promise.resolve(this.#newest) : this.#refresh();
  }
  start(): void {
    this.#timer = setTimeout(() => this.#tick(), 0).unref();
  }
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all([...this.#builds.values()].map(({ renderer }) => renderer.close()));
  }

  #tick(): void {
    this.#refresh()
      .catch(() => undefined)
      .finally(() => {
        if (this.#timer !== undefined) this.#timer = setTimeout(() => this.#tick(), REFRESH_MS).unref();
      });
  }
  #refresh(): Promise<ClientBuild> {
    return (this.#flight ??= this.#fetch().finally(() => (this.#flight = undefined)));
  }
  async #fetch(): Promise<ClientBuild> {
    const { upstreams, logger, isFair, tracking } = this.#deps;
    const { statusCode, headers, body } = await upstreams.read('web', {
      path: PATH,
      headers: this.#newest && this.#entityTag !== undefined ? { 'if-none-match': this.#entityTag } : {},
    });
    if (statusCode === 304 && this.#newest) return this.#newest;
    if (statusCode !== 200) throw new Error(`The web container answered ${statusCode}.`);
    const file = buildFile.parse(JSON.parse(body.toString('utf8')));
    const { version, shells, secretShells, signInShells, code } = file;
    const known = this.#builds.get(version);
    if (file.tracking !== tracking && !known)
      logger.error({ pages: file.tracking, tracking }, 'pages say something else of tracking than what is done');
    this.#entityTag = headers['etag']?.toString();
    const pageHeaders = [
      ['content-type', 'text/html; charset=utf-8'] as const,
      ...HEADERS.map((name) => [name, headers[name]?.toString() ?? ''] as const).filter(([, value]) => value !== ''),
    ];
    this.#builds.delete(version);
    const newest = known ?? {
      version,
      shells,
      headers: pageHeaders,
      secret: { shells: secretShells, headers: secretHeadersOf(pageHeaders) },
      signInShells,
      renderer: new Renderer(code, logger, { isFair }),
    };
    this.#newest = newest;
    this.#builds.set(version, newest);
    for (const [old, { renderer }] of this.#builds) {
      if (this.#builds.size <= MAX_BUILDS) break;
      this.#builds.delete(old);
      void renderer.close();
    }
    return newest;
  }
}
