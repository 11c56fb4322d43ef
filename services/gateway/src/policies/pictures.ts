import { AppError, type ErrorBody } from '@najwa/common/errors';
import { IDENTITY_HEADER, type IdentitySigner } from '@najwa/common/identity';
import { widestOf } from '@najwa/common/limits';
import {
  askedIn,
  GROUNDS,
  languageOf,
  LIMITS,
  MOST_KNOTS,
  QR_DEFAULT_SIZE,
  QR_SIZES,
  type Ground,
  type PictureId,
  type QrCodeId,
} from '@najwa/proto/http/client';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { unavailable, type Upstreams } from '../clients/upstreams.js';
import { refuseConcurrency, type ConcurrencyLimit } from '../domain/concurrency-limit.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import type { FetchContext } from '../domain/tagged-cache.js';
import { exchangeOf } from '../exchange.js';
import { carpet, carpetSvg } from '../pictures/carpet.js';
import { codeSvg } from '../pictures/code.js';
import type { PictureSubject } from '../pictures/compose.js';
import type { Painter } from '../pictures/painter.js';
import { headerOf, publicAnswer, sendPublicAnswer, textOf, type Headers, type PublicAnswer } from '../public/answer.js';
import {
  ANONYMOUS,
  messagesTag,
  profileRead,
  publicReadOf,
  UNKNOWN_PROFILE,
  type PublicCache,
  type ReadPublic,
} from '../public/reads.js';

export interface PictureDeps {
  pictureCache: Pick<PublicCache, 'load'>;
  painter: Pick<Painter, 'paint'>;
  readPublic: ReadPublic;
  upstreams: Pick<Upstreams, 'read'>;
  sign: IdentitySigner['sign'];
  siteOf: (origin: RequestOrigin) => Site;
  drawings: ConcurrencyLimit;
}

const CODE = /^\/api\/users\/([\w.-]{1,64})\/qr\.(svg|png)\/?(?:\?(.*))?$/;
const CARD = /^\/card\/(ar|en)\/([\w.-]{1,64})\.png(?:\?|$)/;
const CARPET = /^\/carpet\/([\w.-]{1,64})\.svg(?:\?|$)/;
const PICTURE = /^\/(?:(og|story)\/([\w.-]{1,64})|(og|story)\/message\/([1-9]\d{0,14}))\.png(?:\?(.*))?$/;

interface Wanted {
  id: PictureId | QrCodeId;
  subject: string;
  size: number;
  ground: Ground;
  /** Id of the owner's question. */
  ask: number | undefined;
}

/**
 * Few values, so that few pictures are drawn and cached.
 * @throws {AppError} `invalid_input`
 */
function choiceOf<Value extends string | number>(
  query: string | undefined,
  name: 'size' | 'ground',
  values: readonly Value[],
  usual: Value,
): Value {
  const asked = new URLSearchParams(query).get(name);
  const value = asked === null ? usual : values.find((known) => String(known) === asked);
  if (value !== undefined) return value;
  throw new AppError({
    code: 'invalid_input',
    message: `The ${name} must be one of ${values.join(', ')}.`,
    fields: { [name]: 'invalid' },
  });
}

const USUAL = { size: QR_DEFAULT_SIZE, ground: GROUNDS[0], ask: undefined };

type Shape = 'og' | 'story';
const OF_PAGES = { og: 'getProfilePicture', story: 'getPromptStory' } as const;
const OF_MESSAGES = { og: 'getMessagePicture', story: 'getMessageStory' } as const;

function wantedOf(url: string): Wanted | undefined {
  const [, owner, type, codeQuery] = CODE.exec(url) ?? [];
  if (owner !== undefined)
    return {
      ...USUAL,
      id: type === 'svg' ? 'getQrCodeAsSvg' : 'getQrCodeAsPng',
      subject: owner.toLowerCase(),
      size: choiceOf(codeQuery, 'size', QR_SIZES, QR_DEFAULT_SIZE),
    };
  const [, language, holder] = CARD.exec(url) ?? [];
  if (holder !== undefined)
    return { ...USUAL, id: language === 'ar' ? 'getArabicCard' : 'getEnglishCard', subject: holder.toLowerCase() };
  const [, weaver] = CARPET.exec(url) ?? [];
  if (weaver !== undefined) return { ...USUAL, id: 'getCarpet', subject: weaver.toLowerCase() };
  const [, ofPage, username, ofMessage, message, query] = PICTURE.exec(url) ?? [];
  const subject = username?.toLowerCase() ?? message;
  if (subject === undefined) return undefined;
  const id = ofMessage === undefined ? OF_PAGES[ofPage as Shape] : OF_MESSAGES[ofMessage as Shape];
  const ground = choiceOf<Ground>(query, 'ground', GROUNDS, GROUNDS[0]);
  return { ...USUAL, id, subject, ground, ...(id === 'getPromptStory' && { ask: askedIn(url) }) };
}

const owner = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  bio: z.string(),
  avatar: z.string().nullable(),
  prompts: z.array(z.object({ id: z.number(), content: z.string() })).exactOptional(),
});
type Owner = z.output<typeof owner>;

const publicMessage = z.object({
  userId: z.number(),
  ornament: z.string(),
  content: z.string(),
  prompt: z.object({ content: z.string() }).exactOptional(),
  reply: z.object({ content: z.string() }).nullable(),
  imageUrl: z.string().nullable(),
  audioDuration: z.number().nullable(),
  audioPeaks: z.array(z.number()).nullable(),
  recipient: z.object({ username: z.string() }),
});

const knot = z.object({ id: z.number(), ornament: z.string() });

/** Other sites may embed pictures. */
const headersOf = (type: string): Headers => [
  ['content-type', type],
  ['cross-origin-resource-policy', 'cross-origin'],
];
const MISSING = {
  profile: { message: 'User not found', code: 'user_not_found' },
  prompt: { message: 'There is no such prompt.', code: 'prompt_not_found' },
  message: { message: 'There is no such message.', code: 'message_not_found' },
  letters: { message: 'The text has letters that a picture cannot show.', code: 'picture_undrawable' },
} as const satisfies Record<string, ErrorBody>;

const isOfMessage = (id: Wanted['id']): id is 'getMessagePicture' | 'getMessageStory' =>
  id === 'getMessagePicture' || id === 'getMessageStory';

const BANNER_RATIO = 6;
const PHOTO_TYPE = 'image/jpeg';
const MAX_PHOTO_BYTES = 8 * 1024 * 1024;
const INCOMPLETE_FRESH_MS = 1_000;

type Context = FetchContext<PublicAnswer>;

interface Found {
  owner: Owner;
  tags: readonly string[];
  isStale: boolean;
}

interface Parts extends Omit<Found, 'owner'> {
  subject: PictureSubject | { svg: string };
  photo: string | null;
}

const refusal = ({ id }: Wanted, status: number, error: ErrorBody, tags: readonly string[]): Promise<PublicAnswer> =>
  publicAnswer({
    operation: id,
    status,
    headers: [['content-type', 'application/json; charset=utf-8']],
    body: Buffer.from(JSON.stringify(error)),
    tags,
  });

const missing = (wanted: Wanted): Promise<PublicAnswer> => {
  const ofPage = wanted.id === 'getPromptStory' ? MISSING.prompt : MISSING.profile;
  return refusal(wanted, 404, isOfMessage(wanted.id) ? MISSING.message : ofPage, [UNKNOWN_PROFILE]);
};

class Pictures {
  readonly #deps;
  readonly #drawn = new WeakMap<PublicAnswer, string>();

  constructor(deps: PictureDeps) {
    this.#deps = deps;
  }

  async draw(wanted: Wanted, site: Site, scopes: RequestOrigin['scopes'], context: Context): Promise<PublicAnswer> {
    const parts = await this.#partsOf(wanted, site, context);
    if (parts === undefined) return missing(wanted);
    const { subject, tags, photo, isStale } = parts;
    context.nameTags(tags);
    if (isStale) context.markStale();
    const content = JSON.stringify([subject, photo]);
    if (context.known && this.#drawn.get(context.known) === content) return context.known;
    const picture = photo === null ? undefined : await this.#readPhoto(photo);
    const isWhole = photo === null || picture !== undefined;
    // Without its picture, a message says something else.
    if (!isWhole && isOfMessage(wanted.id)) throw unavailable(new Error('The picture of the message is not there.'));
    const isSvg = 'svg' in subject;
    const body = isSvg ? Buffer.from(subject.svg) : await this.#paint({ ...subject, picture }, scopes);
    const answer = await (body === 'undrawable'
      ? refusal(wanted, 422, MISSING.letters, tags)
      : publicAnswer({
          operation: wanted.id,
          status: 200,
          headers: headersOf(isSvg ? 'image/svg+xml' : 'image/png'),
          body,
          tags,
          isCompact: !isSvg,
        }));
    if (isWhole) this.#drawn.set(answer, content);
    else context.freshFor(INCOMPLETE_FRESH_MS);
    return answer;
  }

  async #partsOf(
    { id, subject, size, ground, ask }: Wanted,
    { origin }: Site,
    context: Context,
  ): Promise<Parts | undefined> {
    const message = isOfMessage(id) ? await this.#readMessage(subject, context) : undefined;
    const page = isOfMessage(id) ? message?.recipient.username.toLowerCase() : subject;
    if (page === undefined) return undefined;
    const promptOf = (from: Found | undefined) => from?.owner.prompts?.find((prompt) => prompt.id === ask);
    let found = await this.#readOwner(page, context);
    // A question is shared as soon as it is written, before the cached profile has it.
    if (ask !== undefined && promptOf(found) === undefined) found = await this.#readOwner(page, context, false);
    // The page of a message may be closed.
    if (found === undefined || (message !== undefined && message.userId !== found.owner.id)) return undefined;

    const {
      owner: { id: userId, username, name, bio, avatar },
      tags,
      isStale,
    } = found;
    const parts = { tags: [...tags, messagesTag(userId)], photo: null, isStale };
    const language = languageOf(`${name} ${bio}`);
    const shared = { username, name, address: `${origin}/m/${username}`, language, ground, size };
    const readAll = () => this.#readKnots(userId, context);
    switch (id) {
      case 'getArabicCard':
        return { ...parts, subject: { ...shared, id, language: 'ar' } };
      case 'getEnglishCard':
        return { ...parts, subject: { ...shared, id, language: 'en' } };
      case 'getQrCodeAsPng':
        return { ...parts, subject: { ...shared, id } };
      case 'getQrCodeAsSvg':
        return { ...parts, subject: { svg: codeSvg(shared.address, size) } };
      case 'getCarpet': {
        const woven = carpet(await readAll(), BANNER_RATIO, language === 'ar' ? 'rtl' : 'ltr');
        return { ...parts, subject: { svg: carpetSvg(woven) } };
      }
      case 'getProfilePicture':
        return { ...parts, subject: { ...shared, id, userId, knots: await readAll() }, photo: avatar };
      case 'getMessagePicture':
      case 'getMessageStory': {
        if (message === undefined) return undefined;
        const { content: question, prompt, reply, imageUrl, audioDuration, audioPeaks: peaks, ornament } = message;
        const photo = id === 'getMessageStory' ? imageUrl : null;
        const sound = audioDuration === null ? undefined : { seconds: audioDuration, peaks };
        const knots = id === 'getMessagePicture' || photo !== null || sound ? [] : await readAll();
        const said = { ornament, knots, asked: prompt?.content, question, answer: reply?.content, sound };
        const read = question || reply?.content;
        return { ...parts, subject: { ...shared, id, ...said, ...(read && { language: languageOf(read) }) }, photo };
      }
      case 'getPromptStory': {
        const question = promptOf(found)?.content;
        if (ask === undefined || question === undefined) return undefined;
        // Fibonacci hashing.
        const bits = BigInt.asUintN(64, BigInt(ask) * 0x9e37_79b9_7f4a_7c15n)
          .toString(16)
          .padStart(16, '0');
        const written = { ornament: bits, knots: await readAll(), asked: undefined, question, answer: undefined };
        return { ...parts, subject: { ...shared, id, ...written, language: languageOf(question) } };
      }
    }
  }
  async #readOwner(username: string, context: Context, isCached = true): Promise<Found | undefined> {
    const read = profileRead(username);
    if (read === undefined) return undefined;
    const { tag: _tag, ...uncached } = read;
    const { value: answer, isStale } = await this.#deps.readPublic(isCached ? read : uncached, context.request);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw unavailable(new Error(`The profile answered ${answer.status}.`));
    return { owner: owner.parse(JSON.parse(textOf(answer))), tags: answer.tags, isStale };
  }
  async #readMessage(id: string, context: Context) {
    const path = `/api/messages/${id}`;
    const read = { operation: 'getPublicMessage', service: 'messages', path } as const;
    const { value: answer } = await this.#deps.readPublic(read, context.request);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw unavailable(new Error(`The message answered ${answer.status}.`));
    return publicMessage.parse(JSON.parse(textOf(answer)));
  }
  /** Of the last published messages, first to last. */
  async #readKnots(userId: number, context: Context): Promise<string[]> {
    const found = new Map<number, string>();
    for (let before = ''; found.size < MOST_KNOTS;) {
      const read = publicReadOf(`/api/messages/public/${userId}?${before}limit=${LIMITS.page.max}`);
      const answer = read && (await this.#deps.readPublic(read, context.request)).value;
      if (answer?.status !== 200) throw unavailable(new Error('The published messages are not there.'));
      const page = z.array(knot).parse(JSON.parse(textOf(answer)));
      for (const { id, ornament } of page) found.set(id, ornament);
      const last = page.at(-1);
      if (headerOf(answer, 'link') === null || last === undefined) break;
      before = `before=${last.id}&`;
    }
    return [...found]
      .sort(([a], [b]) => a - b)
      .slice(-MOST_KNOTS)
      .map(([, ornament]) => ornament);
  }
  async #readPhoto(address: string): Promise<string | undefined> {
    try {
      const { statusCode, headers, body } = await this.#deps.upstreams.read('media', {
        path: `/api${address}`,
        headers: { accept: PHOTO_TYPE, [IDENTITY_HEADER]: await this.#deps.sign(ANONYMOUS, 'media') },
      });
      if (statusCode !== 200 || headers['content-type'] !== PHOTO_TYPE || body.length > MAX_PHOTO_BYTES)
        return undefined;
      return `data:${PHOTO_TYPE};base64,${body.toString('base64')}`;
    } catch {
      return undefined;
    }
  }
  /**
   * One at a time, sites in turn.
   * @throws {AppError} `too_many_requests`, `unavailable`
   */
  async #paint(subject: PictureSubject, scopes: RequestOrigin['scopes']): Promise<Buffer | 'undrawable'> {
    const release = this.#deps.drawings.acquire(scopes);
    if (typeof release === 'string') throw refuseConcurrency(release);
    try {
      const png = await this.#deps.painter.paint(subject, widestOf(scopes));
      if (png === undefined) throw unavailable(new Error('The picture could not be drawn.'));
      return png;
    } finally {
      release();
    }
  }
}

export function createPicturePolicy(deps: PictureDeps): RequestHandler {
  const { pictureCache, siteOf } = deps;
  const pictures = new Pictures(deps);
  return (request, response, next) => {
    let wanted: Wanted | undefined;
    try {
      wanted = wantedOf(request.originalUrl);
    } catch (error) {
      next(error);
      return;
    }
    const exchange = exchangeOf(response);
    const { requestId, origin } = exchange;
    if (wanted === undefined) {
      next(new AppError({ code: 'not_found', message: 'Not found.' }));
      return;
    }
    const picture = wanted;
    const { id, subject, size, ground, ask = '' } = picture;
    exchange.endpoint = id;
    const site = siteOf(origin);
    const key = `${id} ${subject} ${size} ${ground} ${ask} ${site.origin}`;
    pictureCache
      .load(key, { fetch: (context) => pictures.draw(picture, site, origin.scopes, context) }, exchange)
      .then((cached) => sendPublicAnswer(request, response, { cached, site, requestId, isPage: false }))
      .catch(next);
  };
}
