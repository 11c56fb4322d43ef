import type { Readable } from 'node:stream';
import { LIMITS } from '@najwa/proto/http/client';
import busboy from 'busboy';
import type { Request } from 'express';
import { AppError } from '../errors.js';
import { readChunks } from './chunks.js';

export interface FormOptions<File> {
  /** Part name of the file. */
  file: string;
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

const MAX_FIELDS = 20;
const MAX_FIELD_NAME_BYTES = 128;

const malformed = (cause?: unknown): AppError =>
  new AppError({ code: 'malformed', message: 'The form is malformed.', cause });

const tooLarge = (message: string, fields?: Record<string, string>): AppError =>
  new AppError({ code: 'payload_too_large', message, ...(fields && { fields }) });

/**
 * Reads a multipart form with one file, which is streamed, and up to 64 KiB of fields, in any order. Refuses other
 * files, and fields without a name or twice. A refused form is not read to its end.
 * @throws {AppError} `unsupported_media_type`, `malformed`, `payload_too_large`, and errors thrown by `receive`
 */
export async function readForm<File>(
  request: Request,
  { file: filePart, maxBytes, receive }: FormOptions<File>,
): Promise<Form<File>> {
  if (!request.is('multipart/form-data'))
    throw new AppError({ code: 'unsupported_media_type', message: 'The body must be a multipart form.' });
  const parser = createParser(request, maxBytes);
  const fields = new Map<string, string>();
  let fieldBytes = 0;
  let receiving: Promise<File> | undefined;
  let isRefused = false;

  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, file) => {
        // A file that nobody reads, because the form is refused, emits an error when the parser is destroyed.
        file.on('error', () => undefined);
        if (name === filePart && receiving === undefined) {
          receiving = receive(wholeFile(file, filePart), Object.fromEntries(fields));
          receiving.catch(reject);
        } else {
          file.resume();
          reject(malformed());
        }
      });
      // A part without a name has none here, whatever the types say.
      parser.on('field', (name: string | undefined, value, { nameTruncated, valueTruncated }) => {
        fieldBytes += Buffer.byteLength(value);
        if (valueTruncated || fieldBytes > LIMITS.jsonBytes)
          reject(tooLarge('The fields are larger than this call accepts.'));
        else if (!name || nameTruncated || fields.has(name)) reject(malformed());
        else fields.set(name, value);
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        parser.once(limit, () => reject(malformed()));
      parser.once('error', reject);
      parser.once('close', resolve);
      readChunks(request, async (chunk) => {
        if (isRefused) throw malformed();
        if (!parser.write(chunk) && !parser.destroyed) await hasRoom(parser);
      }).then(() => parser.end(), reject);
    });
    return { file: await receiving, fields: Object.fromEntries(fields) };
  } catch (error) {
    isRefused = true;
    // Destroying the parser emits an error.
    parser.on('error', () => undefined);
    parser.destroy();
    // Let `receive` release its resources before the error is sent.
    await Promise.allSettled([receiving]);
    throw error instanceof AppError ? error : malformed(error);
  }
}

async function* wholeFile(file: Readable & { truncated?: boolean }, part: string): AsyncIterable<Buffer> {
  for await (const piece of file) yield piece as Buffer;
  if (file.truncated === true) throw tooLarge('The file is larger than this call accepts.', { [part]: 'too_large' });
}

/** Waits until the parser accepts more data or has ended. */
const hasRoom = (parser: busboy.Busboy): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      parser.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    parser.on('drain', done).on('close', done).on('error', done);
  });

function createParser({ headers }: Request, maxBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      limits: {
        fileSize: maxBytes + 1,
        files: 2,
        fields: MAX_FIELDS,
        fieldSize: LIMITS.jsonBytes,
        fieldNameSize: MAX_FIELD_NAME_BYTES,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}
