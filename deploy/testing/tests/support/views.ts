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
  /** The times at which the steps of the world began, in milliseconds. They are hours apart. */
  steps: readonly number[];
}

/** Of the whole numbers of a test. Those of accounts and of messages must differ from each other, and from counts. */
export const RANGES = { users: 10_000_000, messages: 20_000_000 } as const;

/** Of each request, or of how it was sent. */
const HEADERS_OF_TRANSPORT = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

const PARTS = [
  ['iso', /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/],
  ['http', /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/],
  ['uuid', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/],
  ['username', /u-[\da-f]{8}-[\da-f]{3}/],
  ['epoch', /(?<=data-rendered=")\d+/],
  ['numbered', /\b[12]\d{7}\b/],
  [
    'drawn',
    /\b\d{9,15}\b|(?<=\?v=)[\w-]+|(?<=\/)[\w-]{22}(?![\w-])|sha256-[\w+/]+=*|(?<=data-part="ornament"[^>]*>(?:<path d="[^"]*"[^>]*><\/path>)?<path d=")[^"]+/,
  ],
  ['token', /[\w-]{16,}/],
] as const;

type PartName = (typeof PARTS)[number][0];

/** Ignored: relative times, styles (ordered by first rendering), and the last use of an own session. */
const LEFT_OUT = /(?<=<time [^>]*>)[^<]*|<style[^]*?<\/style>|(?<=style-src )[^;"]*|(?<="lastSeen":)"[^"]*"/g;

const MONTHS = /\[(?:\{"month":"\d{4}-\d\d","count":\d+\},?)+\]/g;

/** A month may end between two steps of one world, and not of the other. */
const withoutMonths = (text: string): string =>
  text.replaceAll(MONTHS, (list) => {
    const counts = (JSON.parse(list) as { count: number }[]).map(({ count }) => count);
    return `<${counts.reduce((sum, count) => sum + count)} in all months>`;
  });

const PATTERN = new RegExp(PARTS.map(([name, { source }]) => `(?<${name}>${source})`).join('|'), 'g');

/** Names of fields and error codes, which are long, too. */
const WORDS = /^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+|[_-][a-z]+)*$/;

const HOUR_MS = 60 * 60 * 1000;

/**
 * Names what differs between two worlds that are alike: accounts and messages by their distance from the world's first, times by
 * the step in which they lie, and what was drawn at random by the order in which it appears. One for each observer of a world, so
 * that what stays the same between two looks has the same name.
 */
export class Names {
  readonly #known: ReadonlyMap<string, string>;
  readonly #origins: Origins;
  readonly #drawn = new Map<string, string>();
  /** The answer in which names are given, and how many it has given. */
  #where = { what: '', given: 0 };

  /** @param known what the world calls its people, by their usernames */
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

  /** A text without what differs between worlds that are alike. */
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
    const lines = [...headers]
      .filter(([name]) => !HEADERS_OF_TRANSPORT.has(name))
      .map(([name, value]) =>
        name === 'etag' ? `etag: ${this.#draw('tag', value)}` : `${name}: ${this.#replaced(value)}`,
      );
    const type = headers.get('content-type') ?? '';
    const isText = /json|text|html/.test(type);
    const shown = isText
      ? this.#replaced(body.toString())
      : this.#draw('file', createHash('sha256').update(body).digest('hex'));
    return [`${what} ${status}`, ...lines, shown].join('\n');
  }
}

const AROUND = 60;

/** The places at which two views differ, each with what stands there in one and in the other. */
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
