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

const malformed = (message: string, cause?: unknown): AppError => new AppError({ code: 'malformed', message, cause });

/** Streams JSON. The picture is decoded into a bounded buffer and never becomes a string; the rest suits JSON.parse. */
export class JsonReader {
  readonly #maxBytes: number;
  readonly #picture: JsonReaderOptions['picture'];
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #depth = 0;
  #values = 0;
  #state: 'structure' | 'string' | 'prefix' | 'picture' = 'structure';
  #isEscaped = false;
  #isKeyNext = false;
  /** Longer keys than the field name are truncated. */
  #key = '';
  #isReadingKey = false;
  #prefix = '';
  #decoder: PictureDecoder | undefined;

  constructor({ maxBytes, picture }: JsonReaderOptions) {
    this.#maxBytes = maxBytes;
    this.#picture = picture;
  }

  /** @throws {AppError} as soon as a limit is exceeded or the picture is invalid */
  write(chunk: Buffer): void {
    let start = 0;
    let index = 0;
    while (index < chunk.length) {
      const byte = chunk[index] ?? 0;
      if (this.#state === 'picture') {
        const end = chunk.indexOf(QUOTE, index);
        this.#decoder?.write(chunk.subarray(index, end === -1 ? chunk.length : end));
        index = end === -1 ? chunk.length : end;
        start = index;
        if (end === -1) break;
        this.#decoder?.finish();
        // The opening quote is already written.
        this.#state = 'structure';
        index += 1;
        continue;
      }
      index += 1;
      if (this.#state === 'structure') {
        if (this.#onStructure(byte)) {
          this.#keep(chunk.subarray(start, index));
          start = index;
        }
      } else if (this.#state === 'string') {
        this.#onString(byte);
      } else {
        this.#onPrefix(byte);
        start = index;
      }
      if (this.#restBytes + index - start > this.#maxBytes) throw tooLarge();
    }
    if (start < chunk.length && this.#state !== 'picture') this.#keep(chunk.subarray(start));
  }
  /** @throws {AppError} `malformed` */
  finish(): unknown {
    const body = parse(Buffer.concat(this.#rest));
    const image = this.#decoder?.image();
    if (!this.#picture || !image) return body;
    return { ...(body as object), [this.#picture.field]: image };
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#maxBytes) throw tooLarge();
    this.#rest.push(bytes);
  }
  #countValue(): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw malformed('The body holds too many values.');
  }
  /** @returns whether the value of the picture begins */
  #onStructure(byte: number): boolean {
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw malformed('The body is nested too deeply.');
      this.#countValue();
      this.#isKeyNext = this.#depth === 1 && byte === OPENING_BRACE;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      this.#depth -= 1;
    } else if (byte === COMMA) {
      this.#countValue();
      this.#isKeyNext = this.#depth === 1;
    } else if (byte === COLON) {
      this.#isKeyNext = false;
    } else if (byte === QUOTE) {
      const isTop = this.#depth === 1;
      if (this.#isKeyNext && isTop) {
        this.#isReadingKey = true;
        this.#key = '';
      }
      const isPicture = isTop && !this.#isReadingKey && this.#key === this.#picture?.field;
      this.#state = isPicture ? 'prefix' : 'string';
      this.#prefix = '';
    }
    return this.#state === 'prefix';
  }
  #onString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#state = 'structure';
      this.#isReadingKey = false;
      return;
    }
    if (this.#isReadingKey && this.#picture && this.#key.length <= this.#picture.field.length)
      this.#key += String.fromCharCode(byte);
  }
  /** If it is no data URL, the buffered part becomes an ordinary string. */
  #onPrefix(byte: number): void {
    const isEnd = byte === QUOTE && !this.#isEscaped;
    this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
    this.#prefix += String.fromCharCode(byte);
    const text = unescaped(this.#prefix);
    if (this.#picture && DATA_URL_PREFIX.test(text)) {
      if (this.#decoder) throw malformed('The body names its picture twice.');
      this.#decoder = new PictureDecoder(this.#picture);
      this.#state = 'picture';
    } else if (isEnd || this.#prefix.length === MAX_PREFIX_LENGTH || !isStartOfPrefix(text)) {
      this.#keep(Buffer.from(this.#prefix, 'latin1'));
      this.#state = isEnd ? 'structure' : 'string';
    }
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
