import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@najwa/proto/http/client';
import { AppError } from '../errors/errors.js';
import { readChunks, type Body } from './chunks.js';
import { boundaryOf, malformedForm, readParts, type Part, type PartHead } from './multipart.js';

/** A request, or its body with its headers. */
export type FormRequest = Body & { readonly headers: IncomingHttpHeaders };

const IS_FORM = /^\s*multipart\/form-data\s*(?:;|$)/i;

export interface FormOptions {
  /** Part name of the file. */
  file: string;
  /** A part of that name may also be a text field: one without a file name, and with no type but that of text. */
  mayBeText?: boolean;
  /** Maximum file size. */
  maxBytes: number;
}

/**
 * A form that is read as it arrives: iterating once reads all of it, and yields the pieces of its file. An empty file is one
 * empty piece, and a form without a file has none.
 */
export interface Form extends AsyncIterable<Buffer> {
  /** The fields that have arrived: at the first piece of the file those before it, at the end all. */
  fields(): Record<string, string>;
}

const MAX_PARTS = 20;

const tooLarge = (message: string, fields?: Record<string, string>): AppError =>
  new AppError({ code: 'payload_too_large', message, ...(fields && { fields }) });

/**
 * Reads a multipart form with one file, which is streamed, and up to 64 KiB of fields, in any order. The part with the
 * file's name is the file, whatever else its head says. Refuses other files, fields without a name or twice, and text
 * that is not in its character set. A refused form is not read to its end. Iterating throws `unsupported_media_type`,
 * `malformed`, `payload_too_large` and `request_timeout`.
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
      // An empty part without a file name is the file input of a form in which nobody chose a file.
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

/** Counts the bytes of all text. @throws {AppError} `payload_too_large` */
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
