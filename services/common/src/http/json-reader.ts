import { createHash } from 'node:crypto';
import { UploadedImage } from '@najwa/proto/http';
import { AppError } from '../errors/errors.js';

const MAX_DEPTH = 16;
const MAX_VALUES = 1_000;

/** Browsers send no type, or a general one, for unknown files. */
const DATA_URL_PREFIX =
  /^data:(?:image\/[a-z0-9.+-]{1,40}|application\/octet-stream)?(?:;[a-z0-9=._-]{1,40}){0,3};base64,/i;
const MAX_PREFIX_LENGTH = 6 * 160;

/** Some encoders escape "/", "+" and "=", others every character. */
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(/\\(?:\/|u00([0-7][0-9a-f]))/gi, (_escape, code?: string) =>
        code === undefined ? '/' : String.fromCharCode(parseInt(code, 16)),
      )
    : text;

/** `\\u002B` */
const MAX_ESCAPE_LENGTH = 6;

const PARTIAL_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i;

const isStartOfPrefix = (text: string): boolean => 'data:'.startsWith(text.replace(PARTIAL_ESCAPE, '').slice(0, 5));

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

export interface JsonReaderOptions {
  maxBytes: number;
  /** Top-level field with a data URL. */
  picture?: { field: string; maxBytes: number } | undefined;
}

export interface JsonReader {
  /** @throws {AppError} as soon as a limit is exceeded or the picture is invalid */
  write(chunk: Buffer): void;
  /** @throws {AppError} `malformed` */
  finish(): unknown;
}

const malformed = (message: string, cause?: unknown): AppError => new AppError({ code: 'malformed', message, cause });

/** Streams JSON. The picture is decoded into a bounded buffer and never becomes a string; the rest suits JSON.parse. */
export function createJsonReader({ maxBytes, picture }: JsonReaderOptions): JsonReader {
  const rest: Buffer[] = [];
  let restBytes = 0;
  let depth = 0;
  let values = 0;
  let state: 'structure' | 'string' | 'prefix' | 'picture' = 'structure';
  let isEscaped = false;
  let isKeyNext = false;
  /** Longer keys than the field name are truncated. */
  let key = '';
  let isReadingKey = false;
  let prefix = '';
  let decoder: PictureDecoder | undefined;

  const keep = (bytes: Buffer): void => {
    restBytes += bytes.length;
    if (restBytes > maxBytes) throw tooLarge();
    rest.push(bytes);
  };

  const countValue = (): void => {
    values += 1;
    if (values > MAX_VALUES) throw malformed('The body holds too many values.');
  };

  const onStructure = (byte: number): void => {
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) throw malformed('The body is nested too deeply.');
      countValue();
      isKeyNext = depth === 1 && byte === OPENING_BRACE;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
    } else if (byte === COMMA) {
      countValue();
      isKeyNext = depth === 1;
    } else if (byte === COLON) {
      isKeyNext = false;
    } else if (byte === QUOTE) {
      if (isKeyNext && depth === 1) {
        isReadingKey = true;
        key = '';
      }
      const isPicture = picture !== undefined && depth === 1 && !isReadingKey && key === picture.field;
      state = isPicture ? 'prefix' : 'string';
      prefix = '';
    }
  };

  const onString = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) {
      state = 'structure';
      isReadingKey = false;
      return;
    }
    if (isReadingKey && picture && key.length <= picture.field.length) key += String.fromCharCode(byte);
  };

  /** If it is no data URL, the buffered part becomes an ordinary string. */
  const onPrefix = (byte: number): void => {
    const isEnd = byte === QUOTE && !isEscaped;
    isEscaped = byte === BACKSLASH && !isEscaped;
    prefix += String.fromCharCode(byte);
    const text = unescaped(prefix);
    if (picture && DATA_URL_PREFIX.test(text)) {
      if (decoder) throw malformed('The body names its picture twice.');
      decoder = new PictureDecoder(picture);
      state = 'picture';
    } else if (isEnd || prefix.length === MAX_PREFIX_LENGTH || !isStartOfPrefix(text)) {
      keep(Buffer.from(prefix, 'latin1'));
      state = isEnd ? 'structure' : 'string';
    }
  };

  return {
    write(chunk) {
      let start = 0;
      let index = 0;
      while (index < chunk.length) {
        const byte = chunk[index] ?? 0;
        if (state === 'picture') {
          const end = chunk.indexOf(QUOTE, index);
          decoder?.write(chunk.subarray(index, end === -1 ? chunk.length : end));
          index = end === -1 ? chunk.length : end;
          start = index;
          if (end === -1) break;
          decoder?.finish();
          // The opening quote is already written.
          state = 'structure';
          index += 1;
          continue;
        }
        index += 1;
        if (state === 'structure') {
          onStructure(byte);
          if (isInPrefix()) {
            keep(chunk.subarray(start, index));
            start = index;
          }
        } else if (state === 'string') {
          onString(byte);
        } else {
          onPrefix(byte);
          start = index;
        }
        if (restBytes + index - start > maxBytes) throw tooLarge();
      }
      if (start < chunk.length && state !== 'picture') keep(chunk.subarray(start));
    },
    finish() {
      const body = parse(Buffer.concat(rest));
      const image = decoder?.image();
      if (!picture || !image) return body;
      return { ...(body as object), [picture.field]: image };
    },
  };

  /** A function, since TypeScript does not see that `onStructure` changes the state. */
  function isInPrefix(): boolean {
    return state === 'prefix';
  }
}

const tooLarge = (): AppError =>
  new AppError({ code: 'payload_too_large', message: 'The request is larger than this call accepts.' });

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (error) {
    throw malformed('The body is not valid JSON.', error);
  }
}

class PictureDecoder {
  readonly #pieces: Buffer[] = [];
  readonly #hash = createHash('sha256');
  readonly #field: string;
  readonly #maxBytes: number;
  #bytes = 0;
  #carry = '';
  #escape = '';
  #isPadded = false;
  #image: UploadedImage | undefined;

  constructor({ field, maxBytes }: { field: string; maxBytes: number }) {
    this.#field = field;
    this.#maxBytes = maxBytes;
  }

  write(encoded: Buffer): void {
    const raw = `${this.#escape}${encoded.toString('latin1')}`;
    this.#escape = PARTIAL_ESCAPE.exec(raw.slice(-MAX_ESCAPE_LENGTH))?.[0] ?? '';
    const text = `${this.#carry}${unescaped(raw.slice(0, raw.length - this.#escape.length))}`;
    const usable = text.length - (text.length % 4);
    this.#carry = text.slice(usable);
    this.#decode(text.slice(0, usable));
  }

  finish(): void {
    if (this.#escape !== '' || this.#carry !== '' || this.#bytes === 0) throw this.#unsupported();
    this.#image = new UploadedImage(Buffer.concat(this.#pieces), this.#hash.digest('base64url'));
  }

  image(): UploadedImage | undefined {
    return this.#image;
  }

  #decode(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text, 'base64');
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    // Buffer skips invalid characters, which yields fewer bytes.
    if (this.#isPadded || bytes.length !== (text.length / 4) * 3 - padding) throw this.#unsupported();
    this.#isPadded = padding > 0;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) throw imageTooLarge(this.#field, this.#maxBytes);
    this.#hash.update(bytes);
    this.#pieces.push(bytes);
  }

  #unsupported(): AppError {
    return new AppError({
      code: 'unsupported_image',
      message: 'Unsupported file type',
      fields: { [this.#field]: 'unsupported_image' },
    });
  }
}

const MEGABYTE = 1024 * 1024;

export const imageTooLarge = (field: string, maxBytes: number): AppError =>
  new AppError({
    code: 'image_too_large',
    message: `Image should be less than ${maxBytes / MEGABYTE}MB`,
    fields: { [field]: 'image_too_large' },
    maxBytes,
  });
