import { entityTagOf } from '@najwa/common';
import type { PictureId, QrCodeId } from '@najwa/proto/http/client';
import { openPage, type PageEnd } from '../domain/keyed-page.js';
import { brotliPublic, gzipPublic, MIN_COMPRESSED_BYTES, type Encoding } from '../domain/compression.js';

/** One form of a body, ready to be sent. */
export interface Form {
  encoding: Encoding | undefined;
  /**
   * One character per byte ("latin1"): node sends a string in one write with the head, but a buffer in a second one.
   */
  body: string;
  entityTag: string;
  /** Follows the body, and differs for each reader. The entity tag is that of the body. */
  end?: PageEnd;
}

/** A complete answer that is the same for everyone. */
export interface PublicAnswer {
  /** For metrics. */
  operation: 'getPublicUser' | 'listPublicMessages' | 'getPublicMessage' | 'publicPage' | PictureId | QrCodeId;
  status: number;
  /** Without headers about the connection or about caching. */
  headers: readonly (readonly [name: string, value: string | string[]])[];
  plain: Form;
  /** The same body compressed, best first. Empty for a small body. */
  compressed: readonly Form[];
  /** The answer is dropped when one of these changes. */
  tags: readonly string[];
  /** The account whose page is visited by whoever reads the answer. */
  visited?: number | undefined;
  /** Of a page: ids of its owner's questions, each of which has a page of its own. */
  prompts?: readonly number[];
}

export type Headers = PublicAnswer['headers'];

/** For profiles without a known id: they are being fetched, or do not exist. */
export const UNKNOWN_PROFILE = 'profile/unknown';

export const profileTag = (userId: number): string => `profile/${userId}`;
export const messagesTag = (userId: number | string): string => `messages/${userId}`;

/** Rough size of an answer without its bodies. */
const ANSWER_BYTES = 2_000;

export const sizeOf = ({ plain, compressed }: PublicAnswer): number =>
  compressed.reduce((size, { body }) => size + body.length, plain.body.length + ANSWER_BYTES);

export const textOf = ({ plain }: PublicAnswer): string => Buffer.from(plain.body, 'latin1').toString('utf8');

export const headerOf = ({ headers }: PublicAnswer, name: string): string | null =>
  headers.find(([given]) => given === name)?.[1].toString() ?? null;

const formOf = (body: Buffer, encoding?: Encoding, end?: PageEnd): Form => ({
  encoding,
  body: body.toString('latin1'),
  entityTag: entityTagOf(body),
  ...(end && { end }),
});

export type AnswerParts = Pick<PublicAnswer, 'operation' | 'status' | 'headers' | 'tags' | 'visited' | 'prompts'> & {
  body: Buffer;
  /** The body is in a compressed format itself. */
  isCompact?: boolean;
  /** A page whose form sends a key that each reader gets anew. */
  isKeyed?: boolean;
};

/** Builds an answer in all its forms. Compression runs in node's thread pool, once for everyone. */
export async function publicAnswer({
  body,
  isCompact = false,
  isKeyed = false,
  ...parts
}: AnswerParts): Promise<PublicAnswer> {
  if (isKeyed) {
    const [plain, ...compressed] = (await openPage(body)).map((page) => formOf(page.body, page.encoding, page.end));
    if (plain !== undefined) return { ...parts, plain, compressed };
  }
  const plain = formOf(body);
  if (isCompact || body.length < MIN_COMPRESSED_BYTES) return { ...parts, plain, compressed: [] };
  const [brotli, gzip] = await Promise.all([brotliPublic(body), gzipPublic(body)]);
  return { ...parts, plain, compressed: [formOf(brotli, 'br'), formOf(gzip, 'gzip')] };
}

/** True if two answers are the same for a client. */
export const isSameAnswer = (one: PublicAnswer, other: PublicAnswer): boolean =>
  one === other ||
  (one.status === other.status &&
    one.plain.entityTag === other.plain.entityTag &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers));
