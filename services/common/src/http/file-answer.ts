import type { Request, Response } from 'express';
import { AppError } from '../errors/errors.js';

export const INERT_HEADERS = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

/** Inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A Range header (RFC 9110, 14.1.2). Undefined, the whole file, if malformed or of several parts. */
export function parseByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

export interface RangedFile {
  /** In bytes. */
  size: number;
  contentType: string;
  etag: string;
}

/**
 * Undefined for the whole file: also if If-Range names another version, and for HEAD (RFC 9110, 14.2).
 * @throws {AppError} `range_not_satisfiable`
 */
export function readByteRange(
  request: Request,
  response: Response,
  { size, etag }: Pick<RangedFile, 'size' | 'etag'>,
): ByteRange | undefined {
  const header = request.get('range');
  const ifRange = request.get('if-range');
  if (request.method !== 'GET' || header === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const range = parseByteRange(header, size);
  if (range !== 'unsatisfiable') return range;
  response.set('Content-Range', `bytes */${size}`);
  throw new AppError({ code: 'range_not_satisfiable', message: 'The file is shorter than that.' });
}

export function beginRangedAnswer(
  response: Response,
  { size, contentType, etag }: RangedFile,
  range: ByteRange | undefined,
): void {
  response.set({
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Content-Type': contentType,
    'Content-Length': String(range ? range.end - range.start + 1 : size),
    ...INERT_HEADERS,
  });
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
}
