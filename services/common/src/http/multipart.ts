import { AppError } from '../errors/errors.js';
import { fieldName } from '../errors/validation.js';

export interface PartHead {
  name: string;
  filename: string | undefined;
  /** Lower case, without parameters. Empty if absent. */
  contentType: string;
  charset: string | undefined;
}

/** Read its content to the end before the next part. */
export interface Part extends PartHead {
  content: AsyncIterable<Buffer>;
}

/**
 * Refuses an ambiguous form.
 * @param part if known
 */
export const malformedForm = (
  message: string,
  part?: { name: string; fault: 'not_valid' | 'unknown_field' },
  cause?: unknown,
): AppError =>
  new AppError({
    code: 'malformed',
    message,
    ...(part && { fields: { [fieldName([part.name])]: part.fault } }),
    cause,
  });

/** File names have up to 255 characters, partly percent-encoded. */
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_NAME_BYTES = 128;

const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const CARRIAGE_RETURN = 0x0d;

export function boundaryOf(contentType: string): string | undefined {
  const boundary = parseHeader(contentType).parameters.get('boundary')?.[0] ?? '';
  return /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary) ? boundary : undefined;
}

/**
 * Streams the parts of a multipart form (RFC 7578). Skips only line breaks around the parts.
 * @throws {AppError} `malformed`, and errors of the source
 */
export async function* readParts(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Part, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const source = chunks[Symbol.asyncIterator]();
  // The first boundary has no line break before it.
  let pending: Buffer = LINE_END;

  const take = (length: number): Buffer => {
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  };

  const receive = async (): Promise<void> => {
    const next: IteratorResult<Buffer, unknown> = await source.next();
    if (next.done === true) throw malformedForm('The form ends before its last boundary.');
    pending = pending.length === 0 ? next.value : Buffer.concat([pending, next.value]);
  };

  async function* readToDelimiter(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const end = pending.indexOf(delimiter);
      const length = end === -1 ? lengthBeforePartOf(delimiter, pending) : end;
      if (length > 0) yield take(length);
      if (end !== -1) {
        take(delimiter.length);
        return;
      }
      await receive();
    }
  }

  const isLastDelimiter = async (): Promise<boolean> => {
    for (;;) {
      const end = pending.indexOf(LINE_END);
      const line = pending.toString('latin1', 0, end === -1 ? MAX_HEAD_BYTES : end);
      if (line.startsWith('--')) {
        take(2);
        return true;
      }
      if (line.length >= MAX_HEAD_BYTES || !(end === -1 ? /^(-?|[ \t]*\r?)$/ : /^[ \t]*$/).test(line))
        throw malformedForm('A boundary of the form is followed by other text.');
      if (end !== -1) {
        // The line break stays: it ends a head without lines.
        take(end);
        return false;
      }
      await receive();
    }
  };

  const readHead = async (): Promise<PartHead> => {
    for (;;) {
      const end = pending.indexOf(HEAD_END);
      if ((end === -1 ? pending.length : end) > MAX_HEAD_BYTES) throw malformedForm('The head of a part is too long.');
      if (end !== -1) return parseHead(take(end + LINE_END.length).toString('latin1'));
      await receive();
    }
  };

  /** Some clients omit the line break between an empty part and the boundary. */
  const skipBlankLine = async (): Promise<void> => {
    while (pending.length < delimiter.length && delimiter.subarray(0, pending.length).equals(pending)) await receive();
    if (!pending.subarray(0, delimiter.length).equals(delimiter)) take(LINE_END.length);
  };

  try {
    for await (const piece of readToDelimiter()) requireBlank(piece);
    while (!(await isLastDelimiter())) {
      const head = await readHead();
      await skipBlankLine();
      yield { ...head, content: readToDelimiter() };
    }
    requireBlank(pending);
    for await (const chunk of { [Symbol.asyncIterator]: () => source }) requireBlank(chunk);
  } finally {
    await source.return?.();
  }
}

/** Length before a delimiter that is still incomplete. */
function lengthBeforePartOf(delimiter: Buffer, bytes: Buffer): number {
  const start = bytes.lastIndexOf(CARRIAGE_RETURN);
  const isPart = start !== -1 && bytes.subarray(start).equals(delimiter.subarray(0, bytes.length - start));
  return isPart ? start : bytes.length;
}

function requireBlank(outside: Buffer): void {
  if (/[^\s]/.test(outside.toString('latin1')))
    throw malformedForm('The form has text outside its parts. Each part needs its boundary.');
}

function parseHead(text: string): PartHead {
  const headers = new Map<string, string>();
  // A line that begins with a blank continues the previous one.
  const lines = text
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .filter((line) => line !== '');
  for (const line of lines) {
    const colon = line.indexOf(':');
    const header = line.slice(0, colon).trim().toLowerCase();
    if (colon === -1 || headers.has(header)) throw malformedForm('The head of a part is malformed.');
    headers.set(header, line.slice(colon + 1));
  }
  const { value, parameters } = parseHeader(headers.get('content-disposition') ?? '');
  const [name = '', ...otherNames] = parameters.get('name') ?? [];
  if (value !== 'form-data' || name === '' || name.length > MAX_NAME_BYTES || otherNames.length > 0)
    throw malformedForm('A part of the form needs Content-Disposition: form-data with one name.');
  const part = Buffer.from(name, 'latin1').toString();
  const encoding = (headers.get('content-transfer-encoding') ?? 'binary').trim().toLowerCase();
  if (!['7bit', '8bit', 'binary'].includes(encoding))
    throw malformedForm('Parts with a Content-Transfer-Encoding are not accepted.', { name: part, fault: 'not_valid' });
  const contentType = parseHeader(headers.get('content-type') ?? '');
  return {
    name: part,
    filename: (parameters.get('filename') ?? parameters.get('filename*'))?.[0],
    contentType: contentType.value,
    charset: contentType.parameters.get('charset')?.[0],
  };
}

interface ParsedHeader {
  value: string;
  parameters: Map<string, string[]>;
}

const QUOTED_TO_END = /^"(.*?)"[ \t]*(?:;|$)/;

/**
 * Reads `value; parameter=…` leniently: quotes or parentheses in a file name, unquoted blanks, a trailing semicolon.
 * A quote ends a parameter only before a semicolon or the end.
 */
function parseHeader(text: string): ParsedHeader {
  const parameters = new Map<string, string[]>();
  const [head = ''] = text.split(';', 1);
  let rest = text.slice(head.length + 1).trimStart();
  while (rest !== '') {
    const name = /^[^=;]*/.exec(rest)?.[0] ?? '';
    rest = rest.slice(name.length);
    let value = '';
    if (rest.startsWith('=')) {
      rest = rest.slice(1).trimStart();
      const quoted = QUOTED_TO_END.exec(rest);
      const plain = quoted ?? /^([^;]*);?/.exec(rest);
      value = quoted?.[1] ?? plain?.[1]?.trim() ?? '';
      rest = rest.slice(plain?.[0].length);
    } else rest = rest.slice(1);
    const key = name.trim().toLowerCase();
    if (key !== '') parameters.set(key, [...(parameters.get(key) ?? []), value]);
    rest = rest.trimStart();
  }
  return { value: head.trim().toLowerCase(), parameters };
}
