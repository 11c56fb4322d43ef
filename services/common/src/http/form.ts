import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { AppError } from '../errors.js';

export interface FormOptions<File> {
  /** The field that holds the one file. */
  file: string;
  /** Of the file, in bytes. */
  mostBytes: number;
  /** Takes the file in as it arrives. Reading it throws where it does not arrive whole, or is too large. */
  receive: (pieces: AsyncIterable<Buffer>) => Promise<File>;
}

export interface Form<File> {
  /** Undefined when the form has no such file. */
  file: File | undefined;
  fields: Record<string, string>;
}

const MOST_FIELDS = 10;
const MOST_FIELD_BYTES = 1024;

const malformed = (cause?: unknown): AppError =>
  new AppError({ code: 'malformed', message: 'The form cannot be read.', cause });

/**
 * Reads a multipart form with one file, which is never held in memory, and some short fields, in whichever order they
 * come. Any other file is refused, and so is a field that is too long or given twice.
 * @throws {AppError} `unsupported_media_type`, `malformed`, `payload_too_large`, and whatever `receive` throws
 */
export async function readForm<File>(
  request: Request,
  { file: fileField, mostBytes, receive }: FormOptions<File>,
): Promise<Form<File>> {
  if (!request.is('multipart/form-data')) {
    throw new AppError({ code: 'unsupported_media_type', message: 'The body must be a multipart form.' });
  }
  const parser = createParser(request, mostBytes);
  const fields = new Map<string, string>();
  let receiving: Promise<File> | undefined;

  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, file) => {
        if (name === fileField && receiving === undefined) {
          receiving = receive(wholeOf(file, fileField));
          receiving.catch(reject);
        } else {
          file.resume();
          reject(malformed());
        }
      });
      parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
        if (nameTruncated || valueTruncated || fields.has(name)) reject(malformed());
        else fields.set(name, value);
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        parser.once(limit, () => reject(malformed()));
      parser.once('error', reject);
      parser.once('close', resolve);
      request.once('close', () => {
        if (!request.complete) reject(malformed());
      });
      request.pipe(parser);
    });
    return { file: await receiving, fields: Object.fromEntries(fields) };
  } catch (error) {
    letRunOut(request, parser);
    // What it took in so far is given back before the answer is no.
    await Promise.allSettled([receiving]);
    throw error instanceof AppError ? error : malformed(error);
  }
}

async function* wholeOf(file: Readable & { truncated?: boolean }, field: string): AsyncIterable<Buffer> {
  for await (const piece of file) yield piece as Buffer;
  if (file.truncated === true) {
    throw new AppError({
      code: 'payload_too_large',
      message: 'The file is larger than this call takes.',
      fields: { [field]: 'too_large' },
    });
  }
}

/** A client that was told no should hear it, and not find its connection cut while it still sends. */
function letRunOut(request: Request, parser: busboy.Busboy): void {
  request.unpipe(parser);
  request.resume();
  // What it still says is about the end that it was put.
  parser.on('error', () => undefined);
  parser.destroy();
}

function createParser({ headers }: Request, mostBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      limits: {
        fileSize: mostBytes + 1,
        files: 2,
        fields: MOST_FIELDS,
        fieldSize: MOST_FIELD_BYTES,
        fieldNameSize: MOST_FIELD_BYTES,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}
