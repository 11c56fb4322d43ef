import { createHash } from 'node:crypto';

/** An answer as an observer gets it. */
export interface Observed {
  what: string;
  status: number;
  headers: Headers;
  body: Buffer;
}

/** First ids of a world. Ids are compared by their distance from these. */
export interface Origins {
  users: number;
  messages: number;
  /** Start of each step in milliseconds, hours apart. */
  steps: readonly number[];
}

/** Of a whole test. Account and message ids must differ from each other and from counts. */
export const RANGES = { users: 10_000_000, messages: 20_000_000 } as const;

/** Specific to one request. */
const HEADERS_OF_TRANSPORT = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

/** A drawing of other ornaments may be too small to be compressed. */
const HEADERS_OF_SIZE = new Set(['content-encoding', 'vary']);

/** An ornament is named whole: its second path is one of a few dots, which the constant ornaments of a page have too. */
const PARTS = [
  ['iso', /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/],
  ['http', /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/],
  ['uuid', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/],
  ['username', /u-[\da-f]{8}-[\da-f]{3}/],
  ['epoch', /(?<=data-rendered=")\d+/],
  ['numbered', /\b[12]\d{7}\b/],
  [
    'drawn',
    /\b\d{9,15}\b|(?<=\?v=)[\w-]+|(?<=\/)[\w-]{22}(?![\w-])|sha256-[\w+/]+=*|(?<=data-part="ornament"[^>]* aria-label=")[^"]+|(?<=data-part="ornament"[^>]*>)<path d="[^"]*"[^>]*><\/path><path d="[^"]*"/,
  ],
  ['token', /[\w-]{16,}/],
] as const;

type PartName = (typeof PARTS)[number][0];

/** Ignored: relative times, the year, styles (ordered by first rendering), and the last use of an own session. */
const LEFT_OUT =
  /(?<=<time [^>]*>)[^<]*|<style[^]*?<\/style>|(?<=style-src )[^;"]*|(?<="lastSeen":)"[^"]*"|(?<=© )\S+/g;

const MONTHS = /\[(?:\{"month":"\d{4}-\d\d","count":\d+\},?)+\]/g;

/** A month may end between two steps of one world only. */
const withoutMonths = (text: string): string =>
  text.replaceAll(MONTHS, (list) => {
    const counts = (JSON.parse(list) as { count: number }[]).map(({ count }) => count);
    return `<${counts.reduce((sum, count) => sum + count)} in all months>`;
  });

const PATTERN = new RegExp(PARTS.map(([name, { source }]) => `(?<${name}>${source})`).join('|'), 'g');

/** Field names and error codes, which may be long. */
const WORDS = /^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+|[_-][a-z]+)*$/;

const HOUR_MS = 60 * 60 * 1000;

/**
 * Normalises differences between equivalent worlds: ids by distance from the first, times by step, random values by
 * order of appearance. One per observer, so that constant values keep their names.
 */
export class Names {
  readonly #known: ReadonlyMap<string, string>;
  readonly #origins: Origins;
  readonly #drawn = new Map<string, string>();
  /** The answer being named, and its number of new names. */
  #where = { what: '', given: 0 };

  /** @param known names of people by username */
  constructor(origins: Origins, known: ReadonlyMap<string, string>) {
    this.#origins = origins;
    this.#known = known;
  }

  #draw(kind: string, text: string): string {
    const drawn = this.#drawn.get(text);
    if (drawn !== undefined) return drawn;
    this.#where.given += 1;
    const name = `<${kind} ${this.#where.given} of ${this.#where.what}>`;
    this.#drawn.set(text, name);
    return name;
  }

  #time(milliseconds: number): string {
    const { steps } = this.#origins;
    const step = steps.findLastIndex((start) => milliseconds >= start - HOUR_MS);
    return `<step ${step}>`;
  }

  #name(kind: PartName, text: string): string {
    switch (kind) {
      case 'iso':
      case 'http':
        return this.#time(Date.parse(text));
      case 'epoch':
        return this.#time(Number(text));
      case 'numbered': {
        const number = Number(text);
        const of = number >= RANGES.messages ? 'messages' : 'users';
        return `<${of} ${number - this.#origins[of]}>`;
      }
      case 'token':
        return WORDS.test(text) ? text : this.#draw('token', text);
      case 'uuid':
      case 'username':
      case 'drawn':
        return this.#draw(kind, text);
    }
  }

  /** Without the differences between equivalent worlds. */
  of(what: string, text: string): string {
    this.#where = { what, given: 0 };
    return this.#replaced(text);
  }

  #replaced(text: string): string {
    return withoutMonths(text)
      .replaceAll(LEFT_OUT, '')
      .replaceAll(PATTERN, (...found) => {
        const groups = found.at(-1) as Record<PartName, string | undefined>;
        const [kind, value] = Object.entries(groups).find(([, group]) => group !== undefined) as [PartName, string];
        return this.#known.get(value) ?? this.#name(kind, value);
      });
  }

  /** All that an answer shows. */
  ofAnswer({ what, status, headers, body }: Observed): string {
    this.#where = { what, given: 0 };
    const type = headers.get('content-type') ?? '';
    // The witness's painter writes what a picture would show.
    const isText = /json|text|html/.test(type) || (type === 'image/png' && body[0] === '{'.charCodeAt(0));
    const lines = [...headers]
      .filter(([name]) => !HEADERS_OF_TRANSPORT.has(name) && (isText || !HEADERS_OF_SIZE.has(name)))
      .map(([name, value]) =>
        name === 'etag' ? `etag: ${this.#draw('tag', value)}` : `${name}: ${this.#replaced(value)}`,
      );
    const shown = isText
      ? this.#replaced(body.toString())
      : this.#draw('file', createHash('sha256').update(body).digest('hex'));
    return [`${what} ${status}`, ...lines, shown].join('\n');
  }
}

const AROUND = 60;

/** Places at which two views differ, with both values. */
export function differences(one: readonly string[], other: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index] ?? '', other[index] ?? ''];
    if (left === right) continue;
    let place = 0;
    while (place < left.length && left[place] === right[place]) place += 1;
    const [what] = (left || right).split('\n', 1);
    const cut = (text: string): string => text.slice(Math.max(0, place - AROUND), place + AROUND);
    found.push(`${what}: ${cut(left)} | ${cut(right)}`);
  }
  return found;
}
