import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { entityTagOf, matchesEntityTag } from '@najwa/common/http';
import { REQUEST_ID_HEADER } from '@najwa/common/logging';
import type { PictureId, QrCodeId } from '@najwa/proto/http/client';
import {
  accepts,
  brotliOpen,
  brotliPublic,
  gzipOpen,
  gzipPublic,
  MIN_COMPRESSED_BYTES,
  type Encoding,
} from '../domain/compression.js';
import { apiHeadersFor, pageHeadersFor } from '../domain/security-headers.js';
import type { Site } from '../domain/sites.js';
import type { Cached } from '../domain/tagged-cache.js';
import { newToken } from '../domain/tokens.js';

/** The end of a page, with a key for each reader. */
export interface PageEnd {
  write(key: string): string;
  length: number;
}

export interface Form {
  encoding: Encoding | undefined;
  /** "latin1": node writes a string with the head, but a buffer separately. */
  body: string;
  entityTag: string;
  /** Differs for each reader; not part of the entity tag. */
  end?: PageEnd;
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
  /** The form sends a key that is new for each reader. */
  isKeyed?: boolean;
};

/** Compressed once, in node's thread pool. */
export async function publicAnswer({
  body,
  isCompact = false,
  isKeyed = false,
  ...parts
}: AnswerParts): Promise<PublicAnswer> {
  if (isKeyed) return { ...parts, ...(await keyedForms(body)) };
  const plain = formOf(body);
  if (isCompact || body.length < MIN_COMPRESSED_BYTES) return { ...parts, plain, compressed: [] };
  const [brotli, gzip] = await Promise.all([brotliPublic(body), gzipPublic(body)]);
  return { ...parts, plain, compressed: [formOf(brotli, 'br'), formOf(gzip, 'gzip')] };
}

const formOf = (body: Buffer, encoding?: Encoding, end?: PageEnd): Form => ({
  encoding,
  body: body.toString('latin1'),
  entityTag: entityTagOf(body),
  ...(end && { end }),
});

/** 128 bits in base64url. */
const KEY_LENGTH = 22;

const CLOSING = '</body>';

/**
 * At the very end, so that a page compressed once gets a key for each reader.
 * `form` is that of web/src/features/public-page/Composer.tsx.
 */
const tailOf = (key: string): string =>
  `<input type="hidden" name="key" form="message-form" value="${key}" /></body></html>`;

const TAIL_LENGTH = tailOf('-'.repeat(KEY_LENGTH)).length;

const latin1 = (write: (buffer: Buffer) => void, size: number): string => {
  const buffer = Buffer.alloc(size);
  write(buffer);
  return buffer.toString('latin1');
};

/** An uncompressed meta-block (RFC 7932, 9.2), and the empty last one. */
const BROTLI_HEAD = latin1((head) => head.writeUIntLE(((TAIL_LENGTH - 1) << 3) | (1 << 19), 0, 3), 3);
const BROTLI_LAST = '\x03';

/** The last block, uncompressed (RFC 1951, 3.2.4). */
const DEFLATE_HEAD = latin1((head) => {
  head.writeUInt8(1, 0);
  head.writeUInt16LE(TAIL_LENGTH, 1);
  head.writeUInt16LE(TAIL_LENGTH ^ 0xffff, 3);
}, 5);
const GZIP_TRAILER_BYTES = 8;

/** Checksum and length (RFC 1952, 2.3.1). */
function gzipEnd(html: Buffer): PageEnd {
  const checksum = crc32(html);
  return {
    length: DEFLATE_HEAD.length + TAIL_LENGTH + GZIP_TRAILER_BYTES,
    write(key) {
      const tail = tailOf(key);
      const trailer = latin1((end) => {
        end.writeUInt32LE(crc32(tail, checksum), 0);
        end.writeUInt32LE(html.length + TAIL_LENGTH, 4);
      }, GZIP_TRAILER_BYTES);
      return DEFLATE_HEAD + tail + trailer;
    },
  };
}

const PLAIN_END: PageEnd = { length: TAIL_LENGTH, write: tailOf };

const BROTLI_END: PageEnd = {
  length: BROTLI_HEAD.length + TAIL_LENGTH + BROTLI_LAST.length,
  write: (key) => BROTLI_HEAD + tailOf(key) + BROTLI_LAST,
};

/** @param html ends with a closed body */
async function keyedForms(html: Buffer): Promise<Pick<PublicAnswer, 'plain' | 'compressed'>> {
  const end = html.lastIndexOf(CLOSING);
  const open = end === -1 ? html : html.subarray(0, end);
  const plain = formOf(open, undefined, PLAIN_END);
  if (open.length < MIN_COMPRESSED_BYTES) return { plain, compressed: [] };
  const [brotli, gzip] = await Promise.all([brotliOpen(open), gzipOpen(open)]);
  return { plain, compressed: [formOf(brotli, 'br', BROTLI_END), formOf(gzip, 'gzip', gzipEnd(open))] };
}

interface Heads {
  complete: OutgoingHttpHeader[];
  notModified: OutgoingHttpHeader[];
}

const REQUEST_ID_AT = 1;
const SECURE = 1;

/** By form, without and with TLS. */
const prepared = new WeakMap<Form, [Heads | undefined, Heads | undefined]>();

function prepare({ status, headers, compressed }: PublicAnswer, form: Form, isPage: boolean, isSecure: boolean): Heads {
  const { encoding, entityTag, body, end } = form;
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual = isPage ? pageHeadersFor(isSecure) : apiHeadersFor(isSecure);
  const always = [
    REQUEST_ID_HEADER,
    '',
    ...usual.filter(([name]) => !own.has(name.toLowerCase())).flat(),
    ...(compressed.length > 0 ? ['Vary', 'Accept-Encoding'] : []),
    // Browsers revalidate each time, mostly for a 304. Pages are private: they set a cookie, which a shared cache would
    // leak.
    ...(status === 200
      ? ['Cache-Control', isPage ? 'private, no-cache' : 'no-cache', 'ETag', entityTag]
      : ['Cache-Control', 'no-store']),
  ];
  return {
    complete: [
      ...always,
      ...headers.flat(),
      ...(encoding ? ['Content-Encoding', encoding] : []),
      'Content-Length',
      String(body.length + (end?.length ?? 0)),
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
  cookie?: string | undefined;
}

export function sendPublicAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { cached: { value: answer, isStale }, site, requestId, isPage, cookie }: Reply,
): number {
  const { headers, method } = request;
  const form = formFor(answer, headers['accept-encoding']);
  const heads = headsOf(answer, form, isPage, site.isSecure);
  const ifNoneMatch = headers['if-none-match'];
  const isKnown = ifNoneMatch !== undefined && answer.status === 200 && matchesEntityTag(ifNoneMatch, form.entityTag);
  let head = isKnown ? heads.notModified : heads.complete;
  head[REQUEST_ID_AT] = requestId;
  if (isStale) head = [...head, ...STALE];
  if (cookie !== undefined) head = [...head, 'Set-Cookie', cookie];
  const status = isKnown ? 304 : answer.status;
  response.writeHead(status, head);
  if (isKnown || method === 'HEAD') response.end();
  else response.end(form.end === undefined ? form.body : form.body + form.end.write(newToken()), 'latin1');
  return status;
}
