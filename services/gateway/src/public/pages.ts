import { LIMITS } from '@najwa/proto/http/client';
import type { RequestHandler } from 'express';
import { messagesTag, publicAnswer, textOf, UNKNOWN_PROFILE, type PublicAnswer } from './answer.js';
import { MISSING_PAGE, readLanguageLink, readPageLink } from '../domain/page-links.js';
import type { Cause, Fill, Found, PublicMemory } from '../domain/tagged-cache.js';
import { publicReadOf } from './reads.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import type { Visits } from '../domain/visits.js';
import type { Windows } from '../domain/windows.js';
import { exchangeOf } from '../exchange.js';
import { readerLanguage, type PublicPages } from '../rendering/index.js';
import { redirect } from '../policies/answers.js';
import type { ReadPublic } from '../policies/edge-cache.js';
import { sendPublicAnswer } from '../policies/public-answer.js';

export interface PublicPageDeps {
  memory: Pick<PublicMemory, 'load'>;
  readPublic: ReadPublic;
  pages: PublicPages;
  visits: Visits;
  networks: Pick<Windows, 'take'>;
  siteOf: (origin: RequestOrigin) => Site;
}

/** The parts of a page. The same parts make the same page. */
interface Parts {
  profile: PublicAnswer;
  /** Undefined for an unknown account. */
  messages: PublicAnswer | undefined;
  version: string | undefined;
}

interface Made extends Parts {
  isRendered: boolean;
  minute: number;
}

const MINUTE_MS = 60_000;
/** A page that could not be rendered is tried again after that long. */
const UNRENDERED_FRESH_MS = 1_000;

/** The first messages of an account's page. */
export const firstMessagesOf = (userId: number): string =>
  `/api/messages/public/${userId}?limit=${LIMITS.page.default}`;

const ASK = /[?&]ask=([1-9]\d{0,14})(?:&|$)/;

const OUTER_DOT = /^\.|\.$/;

/** The question that a link names, whether the account has it or not. */
function askedIn(url: string): number | undefined {
  const [, id] = ASK.exec(url) ?? [];
  return id === undefined ? undefined : Number(id);
}

const keyOf = (origin: string, username: string, language: string, asked: number | undefined): string =>
  `${origin}/m/${username} ${language}${asked === undefined ? '' : ` ${asked}`}`;

/**
 * Finds the remembered page that a request asks for. A question that the account does not have is no other page.
 * @param peek finds the page of a key
 */
export function findPage(
  url: string,
  origin: string,
  cookie: string | undefined,
  peek: (key: string) => Found | undefined,
): Found | undefined {
  if (readLanguageLink(url) !== undefined) return undefined;
  const link = readPageLink(url);
  if (typeof link !== 'object' || 'path' in link) return undefined;
  const { username } = link;
  const language = readerLanguage(cookie);
  const asked = askedIn(url);
  const found = asked === undefined ? undefined : peek(keyOf(origin, username, language, asked));
  if (found !== undefined) return found;
  const plain = peek(keyOf(origin, username, language, undefined));
  return asked !== undefined && plain?.answer.prompts?.includes(asked) === true ? undefined : plain;
}

/** Ids of the owner's questions. */
function promptsOf(profile: PublicAnswer): number[] {
  if (profile.status !== 200) return [];
  const { prompts = [] } = JSON.parse(textOf(profile)) as { prompts?: { id: number }[] };
  return prompts.map(({ id }) => id);
}

function usernameOf(profile: PublicAnswer): string | undefined {
  return profile.status === 200 ? (JSON.parse(textOf(profile)) as { username: string }).username : undefined;
}

/** A part of the page could not be read, for whatever reason. */
class MissingPartError extends Error {}

/**
 * Answers the page of an account: rendered, with the tags that chat apps and search engines read, and with the profile
 * and its first messages as data. The parts come from the memory of public answers, so that the page is as fresh as they
 * are. If a part is missing, the request goes on to the web client, which fetches it.
 */
export function createPublicPage({
  memory,
  readPublic,
  pages,
  visits,
  networks,
  siteOf,
}: PublicPageDeps): RequestHandler {
  const made = new WeakMap<PublicAnswer, Made>();

  /** Reads the parts, and names the page's tags as soon as they are known. */
  const loadParts = async (username: string, fill: Fill): Promise<Parts & { isStale: boolean }> => {
    const read = publicReadOf(`/api/users/${username}`);
    if (read === undefined) throw new MissingPartError();
    const version = pages.version();
    const { answer: profile, isStale } = await readPublic(read, fill.cause);
    if (profile.status === 404) return { profile, messages: undefined, version, isStale };
    const { visited: id, tags } = profile;
    if (id === undefined) throw new MissingPartError();
    fill.concern([...tags, messagesTag(id)]);
    const list = publicReadOf(firstMessagesOf(id));
    const messages = list && (await readPublic(list, fill.cause));
    if (messages?.answer.status !== 200) throw new MissingPartError();
    return { profile, messages: messages.answer, version, isStale: isStale || messages.isStale };
  };

  const isRenderedFrom = (page: PublicAnswer, { profile, messages, version }: Parts): boolean => {
    const known = made.get(page);
    return (
      known?.isRendered === true &&
      known.profile === profile &&
      known.messages === messages &&
      known.version === version
    );
  };

  const write = async (
    origin: string,
    username: string,
    language: 'ar' | 'en',
    asked: number | undefined,
    fill: Fill,
  ) => {
    const { isStale, ...parts } = await loadParts(username, fill);
    if (fill.known && isStale) throw new MissingPartError();
    const known = fill.known && isRenderedFrom(fill.known, parts) ? fill.known : undefined;
    // Pages hold texts such as "three minutes ago". With the minute of the clock, all pages of all gateways are written
    // again at once, and the time that one shows does not tell when it was last dropped.
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (known && made.get(known)?.minute === minute) return known;
    const { profile, messages } = parts;
    const isFound = messages !== undefined;
    const renderedAt = minute * MINUTE_MS;
    const asker = { language, origin, username, asked, renderedAt };
    const written = await pages.write({ ...asker, ...(isFound && { profile, messages }) });
    if (!written.isRendered) fill.freshFor(UNRENDERED_FRESH_MS);
    // A text such as "three minutes ago" that is a minute late is better than a page without its text.
    if (!written.isRendered && known) return known;
    const page = await publicAnswer({
      operation: 'publicPage',
      status: isFound ? 200 : 404,
      headers: written.headers,
      body: written.html,
      tags: isFound ? [...profile.tags, ...messages.tags] : [UNKNOWN_PROFILE],
      visited: profile.visited,
      prompts: promptsOf(profile),
      isKeyed: isFound,
    });
    made.set(page, { ...parts, version: written.version, isRendered: written.isRendered, minute });
    if (isStale) fill.markStale();
    return page;
  };

  /** The question of a link, if the account has it. A made-up one gets the page that is remembered without it. */
  const findAsked = async (url: string, username: string, cause: Cause): Promise<number | undefined> => {
    const asked = askedIn(url);
    const read = asked === undefined ? undefined : publicReadOf(`/api/users/${username}`);
    if (asked === undefined || read === undefined) return undefined;
    return promptsOf((await readPublic(read, cause)).answer).includes(asked) ? asked : undefined;
  };

  /** The path to send a reader to who follows a link with a dot that the username does not have. */
  const findWithoutDot = async (url: string, username: string, cause: Cause): Promise<string | undefined> => {
    const read = OUTER_DOT.test(username) ? publicReadOf(`/api/users/${username}`) : undefined;
    const known = read && usernameOf((await readPublic(read, cause)).answer);
    if (known === undefined || known.toLowerCase() === username) return undefined;
    return `/m/${known}${/\?.*$/s.exec(url)?.[0] ?? ''}`;
  };

  return (request, response, next) => {
    const link = readPageLink(request.originalUrl);
    const exchange = exchangeOf(response);
    if (link === undefined) {
      next();
      return;
    }
    if (link === 'missing') {
      exchange.upstreamPath = MISSING_PAGE;
      next();
      return;
    }
    if ('path' in link) {
      redirect(response, link.path);
      return;
    }
    const { username } = link;
    exchange.endpoint = 'publicPage';
    const { requestId, origin, visitorCookie } = exchange;
    // Each made-up name is a call, a rendering, and a page that takes the place of others in memory.
    if (networks.take(origin.network) > 0) {
      next();
      return;
    }
    const site = siteOf(origin);
    const { cookie, 'user-agent': userAgent } = request.headers;
    const language = readerLanguage(cookie);
    const answer = async (): Promise<void> => {
      const path = await findWithoutDot(request.originalUrl, username, exchange);
      if (path !== undefined) {
        redirect(response, path);
        return;
      }
      const asked = await findAsked(request.originalUrl, username, exchange);
      const found = await memory.load(
        keyOf(site.origin, username, language, asked),
        { fetch: (fill) => write(site.origin, username, language, asked, fill) },
        exchange,
      );
      sendPublicAnswer(request, response, { found, site, requestId, isPage: true });
      const { visited } = found.answer;
      if (visited !== undefined && request.method === 'GET')
        visits.note(visited, { cookie, visitorCookie, userAgent, network: origin.network });
    };
    answer().catch(() => {
      if (response.headersSent) response.destroy();
      else next();
    });
  };
}
