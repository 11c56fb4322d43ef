import { setTimeout as wait } from 'node:timers/promises';
import { headerOf, textOf, type Headers, type PublicAnswer } from '../public/answer.js';
import { ClientBuilds, type BuildDeps, type ClientBuild } from './client-build.js';
import type { Language, Rendered, RenderTask, SignInRequest, Unsent, WayBackRequest } from './renderer.js';
import { contentOf, writePage, writeTaggedPage, type PageOwner } from './html.js';

export { readerLanguage } from '../domain/headers.js';
export type { Language, ServiceError, SignInData, WayBackAct, WayBackData } from './renderer.js';

export interface PageRequest {
  language: Language;
  origin: string;
  username: string;
  asked: number | undefined;
  renderedAt: number;
  profile?: PublicAnswer;
  messages?: PublicAnswer;
  unsent?: Unsent;
  site: string;
}

export interface WrittenPage {
  html: Buffer;
  headers: Headers;
  /** False: tags and data only. */
  isRendered: boolean;
  version: string;
}

type Asked<Request> = Omit<Request, 'renderedAt'> & { site: string };

/** A replaced thread loads its code first. */
const PATIENCE_MS = 5_000;

export const EVERYBODY = '';

function messagesOf(answer: PublicAnswer) {
  const items = JSON.parse(textOf(answer)) as unknown[];
  return {
    items,
    link: headerOf(answer, 'link'),
    total: Number(headerOf(answer, 'x-total-count') ?? items.length),
  };
}

const render = ({ renderer }: ClientBuild, task: RenderTask, site: string): Promise<Rendered | undefined> =>
  Promise.race([renderer.render(task, site), wait(PATIENCE_MS, undefined, { ref: false })]);

export class PublicPages {
  readonly #builds;
  /** Pages of unknown names and ways back are alike, so invented ones cost no rendering. */
  readonly #ofUnknown = new WeakMap<ClientBuild, Map<string, Promise<Rendered | undefined>>>();

  constructor(deps: BuildDeps) {
    this.#builds = new ClientBuilds(deps);
  }

  /** Pages of another build must be rewritten. Undefined until loaded. */
  version(): string | undefined {
    return this.#builds.current()?.version;
  }
  /**
   * Without a rendering, the page has tags and data only.
   * @throws {AppError} `unavailable` if the client was never loaded
   */
  async write(page: PageRequest): Promise<WrittenPage> {
    const { language, origin, username, asked, renderedAt, profile, messages, unsent, site } = page;
    const build = await this.#builds.load();
    const { version, shells, headers } = build;
    const owner = profile ? (JSON.parse(textOf(profile)) as PageOwner) : null;
    const prompts = asked === undefined ? undefined : owner?.prompts?.filter(({ id }) => id === asked);
    const data = { profile: owner && { ...owner, prompts }, messages: messages && messagesOf(messages), unsent };
    const pathname = `/m/${username}`;
    const task = {
      page: { language, pathname, username, data, renderedAt, ...(asked !== undefined && { asked }) },
    };
    const rendered = await (owner === null
      ? this.#renderUnknown(build, `name ${language}`, task)
      : render(build, task, site));
    const html = writePage(shells[language], {
      ...contentOf(owner, origin, username, data.messages?.total),
      data,
      words: { name: owner?.name ?? '', texts: `${owner?.bio ?? ''} ${JSON.stringify(data.messages?.items)}` },
      ...(rendered && { ...rendered, renderedAt }),
    });
    return { html: Buffer.from(html), headers, isRendered: rendered !== undefined, version };
  }
  /**
   * Undefined without a rendering.
   * @throws {AppError} `unavailable` if the client was never loaded
   */
  async writeWayBack({ language, token, data, site }: Asked<WayBackRequest>): Promise<WrittenPage | undefined> {
    const build = await this.#builds.load();
    const { secret, version } = build;
    const renderedAt = Date.now();
    const task = { wayBack: { language, token, data, renderedAt } };
    const rendered = await (data.wayBack === null
      ? this.#renderUnknown(build, `way back ${language}`, task)
      : render(build, task, site));
    if (rendered === undefined) return undefined;
    const html = writeTaggedPage(secret.shells[language], { data, ...rendered, renderedAt });
    return { html: Buffer.from(html), headers: secret.headers, isRendered: true, version };
  }
  /**
   * After a submitted form. Undefined without a rendering.
   * @throws {AppError} `unavailable` if the client was never loaded
   */
  async writeSignIn({ language, path, data, site }: Asked<SignInRequest>): Promise<WrittenPage | undefined> {
    const build = await this.#builds.load();
    const { signInShells, headers, version } = build;
    const renderedAt = Date.now();
    const rendered = await render(build, { signIn: { language, path, data, renderedAt } }, site);
    if (rendered === undefined) return undefined;
    const html = writeTaggedPage(signInShells[language], { data, ...rendered, renderedAt });
    return { html: Buffer.from(html), headers, isRendered: true, version };
  }
  start(): void {
    this.#builds.start();
  }
  stop(): Promise<void> {
    return this.#builds.stop();
  }

  #renderUnknown(build: ClientBuild, key: string, task: RenderTask): Promise<Rendered | undefined> {
    const known = this.#ofUnknown.get(build) ?? new Map<string, Promise<Rendered | undefined>>();
    this.#ofUnknown.set(build, known);
    const rendered =
      known.get(key) ??
      render(build, task, EVERYBODY).then((result) => {
        if (result === undefined) known.delete(key);
        return result;
      });
    known.set(key, rendered);
    return rendered;
  }
}
