import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import { LIMITS } from '@najwa/proto/http/client';
import { AppError } from '../errors.js';
import { fieldName } from '../validation.js';
import { readChunks, type Body } from './chunks.js';
import { boundaryOf, createMultipartReader, MalformedFormError, type PartHead, type PartSink } from './multipart.js';

/** A request, or its body with its headers. */
export type FormRequest = Body & { readonly headers: IncomingHttpHeaders };

const IS_FORM = /^\s*multipart\/form-data\s*(?:;|$)/i;

export interface FormOptions<File> {
  /** Part name of the file. */
  file: string;
  /** A part of that name may also be a text field: one without a file name, and with no type but that of text. */
  mayBeText?: boolean;
  /** Maximum file size. */
  maxBytes: number;
  /**
   * Consumes the file as it arrives. The iterable throws if the file is incomplete or too large.
   * @param preceding fields that stand before the file
   */
  receive: (pieces: AsyncIterable<Buffer>, preceding: Record<string, string>) => Promise<File>;
}

export interface Form<File> {
  /** Undefined if the form has no file. */
  file: File | undefined;
  fields: Record<string, string>;
}

const MAX_PARTS = 20;

const malformed = (message: string, field?: { name: string; fault: string }, cause?: unknown): AppError =>
  new AppError({
    code: 'malformed',
    message,
    ...(field && { fields: { [fieldName([field.name])]: field.fault } }),
    cause,
  });

const tooLarge = (message: string, fields?: Record<string, string>): AppError =>
  new AppError({ code: 'payload_too_large', message, ...(fields && { fields }) });

/**
 * Reads a multipart form with one file, which is streamed, and up to 64 KiB of fields, in any order. The part with the
 * file's name is the file, whatever else its head says. Refuses other files, fields without a name or twice, and text
 * that is not in its character set. A refused form is not read to its end.
 * @throws {AppError} `unsupported_media_type`, `malformed`, `payload_too_large`, and errors thrown by `receive`
 */
export async function readForm<File>(request: FormRequest, options: FormOptions<File>): Promise<Form<File>> {
  if (!IS_FORM.test(request.headers['content-type'] ?? ''))
    throw new AppError({ code: 'unsupported_media_type', message: 'The body must be a multipart form.' });
  const boundary = boundaryOf(request.headers['content-type'] ?? '');
  if (boundary === undefined) throw malformed('The content type names no boundary.');
  const fields = new Map<string, string>();
  const content = new PassThrough();
  // Nobody may be reading the file of a refused form.
  content.on('error', () => undefined);
  let receiving: Promise<File> | undefined;
  let parts = 0;
  let isRefused = false;

  try {
    await new Promise<void>((resolve, reject) => {
      const receive = (): void => {
        receiving = options.receive(content, Object.fromEntries(fields));
        receiving.catch(reject);
      };
      const names = new Set<string>();
      const addText = createTextLimit();
      const reader = createMultipartReader(boundary, (head) => {
        const { name, filename } = head;
        parts += 1;
        if (parts > MAX_PARTS) throw malformed('The form has too many parts.');
        if (names.has(name)) throw malformed('The form names a field twice.', { name, fault: 'not_valid' });
        names.add(name);
        if (isFile(head, options)) return fileSink(content, filename, options, receive);
        if (filename !== undefined)
          throw malformed('The form has a file that this call does not accept.', { name, fault: 'unknown_field' });
        return textSink(head, addText, (text) => fields.set(name, text));
      });
      readChunks(request, async (chunk) => {
        if (isRefused) throw malformed('The form was refused.');
        await reader.write(chunk);
      })
        .then(() => reader.finish())
        .then(resolve, reject);
    });
    return { file: await receiving, fields: Object.fromEntries(fields) };
  } catch (error) {
    isRefused = true;
    const refusal = refusalOf(error);
    content.destroy(refusal);
    // Let `receive` release its resources before the error is sent.
    await Promise.allSettled([receiving]);
    throw refusal;
  }
}

const isFile = (
  { name, filename, contentType }: PartHead,
  { file, mayBeText = false }: Pick<FormOptions<unknown>, 'file' | 'mayBeText'>,
): boolean => name === file && !(mayBeText && filename === undefined && /^(text\/.*)?$/.test(contentType));

/** An empty part without a file name is the file input of a form in which nobody chose a file. */
function fileSink(
  content: PassThrough,
  filename: string | undefined,
  { file, maxBytes }: Pick<FormOptions<unknown>, 'file' | 'maxBytes'>,
  receive: () => void,
): PartSink {
  let size = 0;
  return {
    async write(piece) {
      if (size === 0) receive();
      size += piece.length;
      if (size > maxBytes) throw tooLarge('The file is larger than this call accepts.', { [file]: 'too_large' });
      if (!content.write(piece) && !content.destroyed) await hasRoom(content);
    },
    end() {
      if (size === 0 && !filename) return;
      if (size === 0) receive();
      content.end();
    },
  };
}

/** Waits until the file's reader accepts more or has ended. */
const hasRoom = (content: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      content.off('drain', done).off('close', done);
      resolve();
    };
    content.on('drain', done).on('close', done);
  });

/** Counts the bytes of all text. @throws {AppError} `payload_too_large` */
function createTextLimit(): (bytes: number) => void {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > LIMITS.jsonBytes) throw tooLarge('The fields are larger than this call accepts.');
  };
}

function textSink({ name, charset }: PartHead, count: (bytes: number) => void, take: (text: string) => void): PartSink {
  const pieces: Buffer[] = [];
  return {
    write(piece) {
      count(piece.length);
      pieces.push(piece);
    },
    end() {
      try {
        take(new TextDecoder(charset, { fatal: true }).decode(Buffer.concat(pieces)));
      } catch (error) {
        throw malformed('The text of a field is not UTF-8.', { name, fault: 'not_valid' }, error);
      }
    },
  };
}

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof MalformedFormError)) return malformed('The form is malformed.', undefined, error);
  return malformed(error.message, error.part === undefined ? undefined : { name: error.part, fault: 'not_valid' });
}
