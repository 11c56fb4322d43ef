import { askedIn } from '@najwa/proto/http/client';
import { readLanguageLink, readPageLink } from '../domain/page-links.js';
import type { FetchContext, RequestRef } from '../domain/tagged-cache.js';
import { EVERYBODY, readerLanguage, type Language, type PublicPages } from '../rendering/index.js';
import { publicAnswer, textOf, type CachedAnswer, type PublicAnswer } from './answer.js';
import {
  firstMessagesRead,
  messagesTag,
  profileRead,
  UNKNOWN_PROFILE,
  type PublicCache,
  type ReadPublic,
} from './reads.js';

const keyOf = (origin: string, username: string, language: string, asked: number | undefined): string =>
  `${origin}/m/${username} ${language}${asked === undefined ? '' : ` ${asked}`}`;

/** An unknown question leads to the page without one. */
export function findPage(
  url: string,
  origin: string,
  cookie: string | undefined,
  peek: (key: string) => CachedAnswer | undefined,
): CachedAnswer | undefined {
  if (readLanguageLink(url) !== undefined) return undefined;
  const link = readPageLink(url);
  if (typeof link !== 'object' || 'path' in link) return undefined;
  const { username } = link;
  const language = readerLanguage(cookie);
  const asked = askedIn(url);
  const found = asked === undefined ? undefined : peek(keyOf(origin, username, language, asked));
  if (found !== undefined) return found;
  const plain = peek(keyOf(origin, username, language, undefined));
  return asked !== undefined && plain?.value.prompts?.includes(asked) === true ? undefined : plain;
}

export interface PageWanted {
  origin: string;
  url: string;
  username: string;
  language: Language;
  site: string;
}

/** A page, or a redirect for a link with a stray dot. */
export type ReadPage = (wanted: PageWanted, request: RequestRef) => Promise<CachedAnswer | { path: string }>;

export interface ReadPageDeps {
  publicCache: Pick<PublicCache, 'load'>;
  readPublic: ReadPublic;
  pages: Pick<PublicPages, 'version' | 'write'>;
}

interface Parts {
  profile: PublicAnswer;
  messages: PublicAnswer | undefined;
  version: string | undefined;
}

interface RenderedFrom extends Parts {
  isRendered: boolean;
  minute: number;
}

const MINUTE_MS = 60_000;
const UNRENDERED_FRESH_MS = 1_000;

const OUTER_DOT = /^\.|\.$/;

function ownerIn(profile: PublicAnswer): { username?: string; prompts: number[] } {
  if (profile.status !== 200) return { prompts: [] };
  const { username, prompts = [] } = JSON.parse(textOf(profile)) as { username: string; prompts?: { id: number }[] };
  return { username, prompts: prompts.map(({ id }) => id) };
}

class MissingPartError extends Error {}

/**
 * Pages of accounts, rendered, with tags for previews and with the data. Their parts come from the cache of public
 * answers, so they are as fresh. Throws if a part is missing.
 */
export function createReadPage({ publicCache, readPublic, pages }: ReadPageDeps): ReadPage {
  const sources = new WeakMap<PublicAnswer, RenderedFrom>();

  const readParts = async (
    username: string,
    { request, nameTags }: FetchContext<PublicAnswer>,
  ): Promise<Parts & { isStale: boolean }> => {
    const read = profileRead(username);
    if (read === undefined) throw new MissingPartError();
    const version = pages.version();
    const { value: profile, isStale } = await readPublic(read, request);
    if (profile.status === 404) return { profile, messages: undefined, version, isStale };
    const { visited: id, tags } = profile;
    if (id === undefined) throw new MissingPartError();
    nameTags([...tags, messagesTag(id)]);
    const list = firstMessagesRead(id);
    const messages = list && (await readPublic(list, request));
    if (messages?.value.status !== 200) throw new MissingPartError();
    return { profile, messages: messages.value, version, isStale: isStale || messages.isStale };
  };

  const isRenderedFrom = (page: PublicAnswer, { profile, messages, version }: Parts): boolean => {
    const source = sources.get(page);
    return (
      source?.isRendered === true &&
      source.profile === profile &&
      source.messages === messages &&
      source.version === version
    );
  };

  const write = async (
    { origin, username, language, site }: PageWanted,
    asked: number | undefined,
    context: FetchContext<PublicAnswer>,
  ): Promise<PublicAnswer> => {
    const { isStale, ...parts } = await readParts(username, context);
    if (context.known && isStale) throw new MissingPartError();
    const known = context.known && isRenderedFrom(context.known, parts) ? context.known : undefined;
    // Relative times change by the minute of the clock, on all gateways at once: a page's time does not reveal when it
    // was dropped.
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (known && sources.get(known)?.minute === minute) return known;
    const { profile, messages } = parts;
    const isFound = messages !== undefined;
    const renderedAt = minute * MINUTE_MS;
    // Background refreshes take no reader's turn.
    const turn = context.request === undefined ? EVERYBODY : site;
    const asker = { language, origin, username, asked, renderedAt, site: turn };
    const written = await pages.write({ ...asker, ...(isFound && { profile, messages }) });
    if (!written.isRendered) context.freshFor(UNRENDERED_FRESH_MS);
    // Better a minute late than unrendered.
    if (!written.isRendered && known) return known;
    const page = await publicAnswer({
      operation: 'publicPage',
      status: isFound ? 200 : 404,
      headers: written.headers,
      body: written.html,
      tags: isFound ? [...profile.tags, ...messages.tags] : [UNKNOWN_PROFILE],
      prompts: ownerIn(profile).prompts,
    });
    sources.set(page, { ...parts, version: written.version, isRendered: written.isRendered, minute });
    if (isStale) context.markStale();
    return page;
  };

  return async (wanted, request) => {
    const { origin, url, username, language } = wanted;
    const named = askedIn(url);
    let asked: number | undefined;
    const read = named !== undefined || OUTER_DOT.test(username) ? profileRead(username) : undefined;
    if (read !== undefined) {
      const owner = ownerIn((await readPublic(read, request)).value);
      if (OUTER_DOT.test(username) && owner.username !== undefined && owner.username.toLowerCase() !== username)
        return { path: `/m/${owner.username}${/\?.*$/s.exec(url)?.[0] ?? ''}` };
      // Unknown questions share the page without one.
      if (named !== undefined && owner.prompts.includes(named)) asked = named;
    }
    return publicCache.load(
      keyOf(origin, username, language, asked),
      { fetch: (context) => write(wanted, asked, context) },
      request,
    );
  };
}
