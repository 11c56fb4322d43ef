import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { entityTagOf, matchesEntityTag } from '@najwa/common/http';
import { REQUEST_ID_HEADER } from '@najwa/common/logging';
import type { PictureId, QrCodeId } from '@najwa/proto/http/client';
import { accepts, brotliPublic, gzipPublic, MIN_COMPRESSED_BYTES, type Encoding } from '../domain/compression.js';
import { apiHeadersFor, pageHeadersFor } from '../domain/security-headers.js';
import type { Site } from '../domain/sites.js';
import type { Cached } from '../domain/tagged-cache.js';

export interface Form {
  encoding: Encoding | undefined;
  /** "latin1": node writes a string with the head, but a buffer separately. */
  body: string;
  entityTag: string;
}

/** The same for everyone. */
export interface PublicAnswer {
  operation: 'getPublicUser' | 'listPublicMessages' | 'getPublicMessage' | 'publicPage' | PictureId | QrCodeId;
  status: number;
  headers: readonly (readonly [name: string, value: string | string[]])[];
  plain: Form;
  /** Best first. Empty for a small body. */
  compressed: readonly Form[];
  tags: readonly string[];
  /** Account whose page a reader visits. */
  visited?: number | undefined;
  /** Ids of the owner's questions, each with a page of its own. */
  prompts?: readonly number[];
}

export type Headers = PublicAnswer['headers'];

export type CachedAnswer = Cached<PublicAnswer>;

const ANSWER_BYTES = 2_000;

export const sizeOf = ({ plain, compressed }: PublicAnswer): number =>
  compressed.reduce((size, { body }) => size + body.length, plain.body.length + ANSWER_BYTES);

export const textOf = ({ plain }: PublicAnswer): string => Buffer.from(plain.body, 'latin1').toString('utf8');

export const headerOf = ({ headers }: PublicAnswer, name: string): string | null =>
  headers.find(([given]) => given === name)?.[1].toString() ?? null;

export const isSameAnswer = (one: PublicAnswer, other: PublicAnswer): boolean =>
  one === other ||
  (one.status === other.status &&
    one.plain.entityTag === other.plain.entityTag &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers));

export type AnswerParts = Pick<PublicAnswer, 'operation' | 'status' | 'headers' | 'tags' | 'visited' | 'prompts'> & {
  body: Buffer;
  isCompact?: boolean;
};

/** Compressed once, in node's thread pool. */
export async function publicAnswer({ body, isCompact = false, ...parts }: AnswerParts): Promise<PublicAnswer> {
  const plain = formOf(body);
  if (isCompact || body.length < MIN_COMPRESSED_BYTES) return { ...parts, plain, compressed: [] };
  const [brotli, gzip] = await Promise.all([brotliPublic(body), gzipPublic(body)]);
  return { ...parts, plain, compressed: [formOf(brotli, 'br'), formOf(gzip, 'gzip')] };
}

const formOf = (body: Buffer, encoding?: Encoding): Form => ({
  encoding,
  body: body.toString('latin1'),
  entityTag: entityTagOf(body),
});

interface Heads {
  complete: OutgoingHttpHeader[];
  notModified: OutgoingHttpHeader[];
}

const REQUEST_ID_AT = 1;
const SECURE = 1;

/** By form, without and with TLS. */
const prepared = new WeakMap<Form, [Heads | undefined, Heads | undefined]>();

function prepare({ status, headers, compressed }: PublicAnswer, form: Form, isPage: boolean, isSecure: boolean): Heads {
  const { encoding, entityTag, body } = form;
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual = isPage ? pageHeadersFor(isSecure) : apiHeadersFor(isSecure);
  const always = [
    REQUEST_ID_HEADER,
    '',
    ...usual.filter(([name]) => !own.has(name.toLowerCase())).flat(),
    // A page is in the language of a cookie.
    ...(compressed.length > 0 ? ['Vary', isPage ? 'Accept-Encoding, Cookie' : 'Accept-Encoding'] : []),
    // A shared cache keeps a page for a second, so that what was taken back is gone.
    ...(status === 200
      ? ['Cache-Control', isPage ? 'public, max-age=0, s-maxage=1, must-revalidate' : 'no-cache', 'ETag', entityTag]
      : ['Cache-Control', 'no-store']),
  ];
  return {
    complete: [
      ...always,
      ...headers.flat(),
      ...(encoding ? ['Content-Encoding', encoding] : []),
      'Content-Length',
      String(body.length),
    ],
    notModified: [...always, ...headers.filter(([name]) => name !== 'content-type').flat()],
  };
}

function headsOf(answer: PublicAnswer, form: Form, isPage: boolean, isSecure: boolean): Heads {
  let both = prepared.get(form);
  if (both === undefined) prepared.set(form, (both = [undefined, undefined]));
  return (both[isSecure ? SECURE : 0] ??= prepare(answer, form, isPage, isSecure));
}

function formFor({ plain, compressed }: PublicAnswer, acceptEncoding: string | undefined): Form {
  if (acceptEncoding === undefined) return plain;
  for (const form of compressed) if (form.encoding && accepts(form.encoding, acceptEncoding)) return form;
  return plain;
}

/** RFC 9211. */
const STALE = ['Cache-Status', 'najwa; hit; ttl=-1; detail=unconfirmed'];

export interface Reply {
  cached: CachedAnswer;
  site: Site;
  requestId: string;
  isPage: boolean;
}

export function sendPublicAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { cached: { value: answer, isStale }, site, requestId, isPage }: Reply,
): number {
  const { headers, method } = request;
  const form = formFor(answer, headers['accept-encoding']);
  const heads = headsOf(answer, form, isPage, site.isSecure);
  const ifNoneMatch = headers['if-none-match'];
  const isKnown = ifNoneMatch !== undefined && answer.status === 200 && matchesEntityTag(ifNoneMatch, form.entityTag);
  let head = isKnown ? heads.notModified : heads.complete;
  head[REQUEST_ID_AT] = requestId;
  if (isStale) head = [...head, ...STALE];
  const status = isKnown ? 304 : answer.status;
  response.writeHead(status, head);
  if (isKnown || method === 'HEAD') response.end();
  else response.end(form.body, 'latin1');
  return status;
}
