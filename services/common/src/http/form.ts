import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@najwa/proto/http/client';
import { AppError } from '../errors/errors.js';
import { readChunks, type Body } from './chunks.js';
import { boundaryOf, malformedForm, readParts, type Part, type PartHead } from './multipart.js';

export type FormRequest = Body & { readonly headers: IncomingHttpHeaders };

const IS_FORM = /^\s*multipart\/form-data\s*(?:;|$)/i;

export interface FormOptions {
  file: string;
  /** Allows a text field of that name: no file name, and no type but text. */
  mayBeText?: boolean;
  maxBytes: number;
}

/**
 * Streams a form: iterate once for the pieces of its file. An empty file yields one empty piece, a form without one
 * none.
 */
export interface Form extends AsyncIterable<Buffer> {
  /** Fields so far; all of them at the end. */
  fields(): Record<string, string>;
}

const MAX_PARTS = 20;

const tooLarge = (message: string, fields?: Record<string, string>): AppError =>
  new AppError({ code: 'payload_too_large', message, ...(fields && { fields }) });

/**
 * Multipart form with one streamed file and up to 64 KiB of fields, in any order. Refuses other files, unnamed or
 * repeated fields, and text outside its character set. Iterating throws `unsupported_media_type`, `malformed`,
 * `payload_too_large` and `request_timeout`.
 */
export function readForm(request: FormRequest, options: FormOptions): Form {
  const fields = new Map<string, string>();
  return {
    fields: () => Object.fromEntries(fields),
    [Symbol.asyncIterator]: () => readFile(request, options, fields),
  };
}

async function* readFile(
  request: FormRequest,
  { file, mayBeText = false, maxBytes }: FormOptions,
  fields: Map<string, string>,
): AsyncGenerator<Buffer, void, undefined> {
  const boundary = requireBoundary(request.headers['content-type'] ?? '');
  const names = new Set<string>();
  const countText = createTextLimit();
  for await (const part of readParts(readChunks(request), boundary)) {
    const { name, filename, content } = part;
    if (names.size === MAX_PARTS) throw malformedForm('The form has too many parts.');
    if (names.has(name)) throw malformedForm('The form names a field twice.', { name, fault: 'not_valid' });
    names.add(name);
    if (name === file && !(mayBeText && isText(part))) {
      let size = 0;
      for await (const piece of content) {
        size += piece.length;
        if (size > maxBytes) throw tooLarge('The file is larger than this call accepts.', { [file]: 'too_large' });
        yield piece;
      }
      // An empty part without a file name is a file input left empty.
      if (size === 0 && filename) yield Buffer.alloc(0);
    } else if (filename === undefined) fields.set(name, await readText(part, countText));
    else throw malformedForm('The form has a file that this call does not accept.', { name, fault: 'unknown_field' });
  }
}

function requireBoundary(contentType: string): string {
  if (!IS_FORM.test(contentType))
    throw new AppError({ code: 'unsupported_media_type', message: 'The body must be a multipart form.' });
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw malformedForm('The content type names no boundary.');
  return boundary;
}

const isText = ({ filename, contentType }: PartHead): boolean =>
  filename === undefined && /^(text\/.*)?$/.test(contentType);

function createTextLimit(): (bytes: number) => void {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > LIMITS.jsonBytes) throw tooLarge('The fields are larger than this call accepts.');
  };
}

async function readText({ name, charset, content }: Part, count: (bytes: number) => void): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of content) {
    count(piece.length);
    pieces.push(piece);
  }
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    throw malformedForm('The text of a field is not UTF-8.', { name, fault: 'not_valid' }, error);
  }
}
