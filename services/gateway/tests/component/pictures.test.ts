import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MessageDeleted, MessageUpdated, UserUpdated } from '@najwa/proto/events';
import { eventually } from '@najwa/testing';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { serveWebClient } from '../support/web-client.js';

let bed: GatewayBed;
let profile:
  | {
      id: number;
      username: string;
      name: string;
      bio: string;
      avatar: string | null;
      prompts?: { id: number; content: string }[];
    }
  | undefined;
let message:
  | {
      userId: number;
      ornament: string;
      content: string;
      prompt?: { id: number; content: string };
      reply: { content: string } | null;
      imageUrl?: string;
      audioDuration?: number;
      audioPeaks?: number[];
    }
  | undefined;

const ORNAMENT = 'ba2945b603ffaf56';
let published: { id: number; ornament: string }[] = [];
const NO_FILES = { imageUrl: null, audioDuration: null, audioPeaks: null };

const json = (value: object | undefined, response: import('node:http').ServerResponse): void => {
  response
    .setHeader('Content-Type', 'application/json; charset=utf-8')
    .writeHead(value ? 200 : 404)
    .end(JSON.stringify(value ?? { message: 'Not found', code: 'not_found' }));
};

beforeAll(async () => {
  await initWasm(readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  // With limits: a picture that is drawn must not count on.
  bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' });
  await serveWebClient(bed);
  bed.upstreams.auth.answer((_request, response) => json(profile, response));
  bed.upstreams.messages.answer((request, response) =>
    request.url?.startsWith('/api/messages/public') === true
      ? json(published, response)
      : json(message && { ...NO_FILES, ...message, recipient: { username: name, name: 'نورة' } }, response),
  );
});
afterAll(() => bed.stop());

let count = 0;
/** Each test has its own username and message. */
let name = '';
let id = 0;
beforeEach(() => {
  count += 1;
  name = `noura${count}`;
  id = 100 + count;
  const prompts = [{ id: 4, content: 'ماذا أقرأ بعد؟' }];
  profile = { id: 7, username: 'Noura', name: 'نورة <b>&', bio: '', avatar: null, prompts };
  published = [];
  message = {
    userId: 7,
    ornament: ORNAMENT,
    content: 'ما أجمل نصيحة؟ </svg><script>',
    reply: { content: 'لا تشرحي نفسك' },
  };
});

const PNG = ['image/png', 'no-cache', 'cross-origin'];
const headersOf = ({ headers }: Response): (string | null)[] =>
  ['content-type', 'cache-control', 'cross-origin-resource-policy'].map((header) => headers.get(header));
const sizeOf = async (answer: Response): Promise<unknown> => {
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  return [format, width, height];
};

test.each([
  ['a page', () => `/og/${name}.png`, 1200, 630],
  ['a published message', () => `/og/message/${id}.png`, 1200, 630],
  ['a published message for stories', () => `/story/message/${id}.png`, 1080, 1920],
  ['a question for stories', () => `/story/${name}.png?ask=4`, 1080, 1920],
  ['a card in Arabic', () => `/card/ar/${name}.png`, 1240, 1748],
  ['a card in English', () => `/card/en/${name}.png`, 1240, 1748],
  ['a QR code', () => `/api/users/${name}/qr.png`, 512, 512],
  ['a large QR code', () => `/api/users/${name}/qr.png?size=2048`, 2048, 2048],
])('draws %s once, and answers 304 and HEAD', async (_what, path, width, height) => {
  const answer = await bed.fetch(path());
  expect([answer.status, ...headersOf(answer)]).toEqual([200, ...PNG]);
  const etag = answer.headers.get('etag') ?? '';
  const length = answer.headers.get('content-length');
  expect(await sizeOf(answer)).toEqual(['png', width, height]);

  const [auth, messages] = [bed.upstreams.auth.seen.length, bed.upstreams.messages.seen.length];
  expect((await bed.fetch(path(), { headers: { 'if-none-match': etag } })).status).toBe(304);
  const head = await bed.fetch(path(), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, length, '']);
  expect([bed.upstreams.auth.seen.length, bed.upstreams.messages.seen.length]).toEqual([auth, messages]);
});

test.each([
  ['a page', () => `/og/${name}.png`, ['night', 'violet', 'rose', 'mint', 'own']],
  ['a question card', () => `/og/message/${id}.png`, ['night', 'violet', 'rose', 'mint', 'own']],
  ['a story', () => `/story/message/${id}.png`, ['night', 'violet', 'rose', 'mint', 'own']],
])('draws %s on each of its grounds, once', async (_what, path, others) => {
  const pictureOf = async (query: string) => {
    const answer = await bed.fetch(`${path()}${query}`);
    expect([answer.status, ...headersOf(answer)]).toEqual([200, ...PNG]);
    return `${answer.headers.get('etag')} ${answer.headers.get('content-length')}`;
  };
  const usual = await pictureOf('');
  expect(await pictureOf('?ground=cream&v=1')).toBe(usual);
  // In turn: on a busy machine the last of five would wait too long.
  const drawn: string[] = [];
  for (const ground of others) drawn.push(await pictureOf(`?ground=${ground}`));
  expect(new Set([usual, ...drawn]).size).toBe(others.length + 1);
  const seen = bed.upstreams.auth.seen.length;
  expect(await Promise.all(others.map((ground) => pictureOf(`?ground=${ground}`)))).toEqual(drawn);
  expect(bed.upstreams.auth.seen).toHaveLength(seen);
});

test.each([
  () => `/og/${name}.png?ground=pink`,
  () => `/og/message/${id}.png?ground=`,
  () => `/story/message/${id}.png?v=2&ground=Night`,
])('refuses another ground before it asks for anything', async (path) => {
  const seen = () => bed.upstreams.auth.seen.length + bed.upstreams.messages.seen.length;
  const before = seen();
  const answer = await bed.fetch(path());
  expect([answer.status, answer.headers.get('cache-control'), seen()]).toEqual([422, 'no-store', before]);
  expect(await answer.json()).toMatchObject({ code: 'invalid_input', fields: { ground: 'invalid' } });
});

test('a picture has the address of the site that was asked', async () => {
  const etagOf = (host: string): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      get(`${bed.origin}/og/${name}.png`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.headers.etag);
      }).on('error', reject);
    });
  const [one, again, other] = [await etagOf('a.example'), await etagOf('a.example'), await etagOf('b.example')];
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

/** As a phone's camera does. */
const readCode = async (answer: Response): Promise<string | undefined> => {
  const isSvg = answer.headers.get('content-type') === 'image/svg+xml';
  // Media may have forbidden SVG to sharp in this process.
  const bytes = isSvg ? new Resvg(await answer.text()).render().asPng() : Buffer.from(await answer.arrayBuffer());
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
};

test.each(['/api/users/NAME/qr.png?size=128', '/api/users/NAME/qr.svg', '/card/ar/NAME.png', '/card/en/NAME.png'])(
  'a camera reads the address of the page in %s',
  async (path) => {
    // The username as its owner writes it.
    const answer = await bed.fetch(path.replace('NAME', name));
    expect(await readCode(answer)).toBe(new URL('/m/Noura', answer.url).href);
  },
);

test('the three eyes of a QR code have the outline of the bubble, and the mark stands in the middle', async () => {
  const svg = await (await bed.fetch(`/api/users/${name}/qr.svg?size=1024`)).text();
  const { pixels, width } = new Resvg(svg).render();
  const QUIET = 4;
  const whole = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const side = whole - 2 * QUIET;
  /** Colour of a module: `#rrggbb`. */
  const module = (x: number, y: number) => {
    const [column, row] = [x, y].map((at) => Math.floor(((at + QUIET) / whole) * width)) as [number, number];
    const at = 4 * (row * width + column);
    return `#${Buffer.from(pixels.subarray(at, at + 3)).toString('hex')}`;
  };
  const WHITE = '#ffffff';
  for (const [x, y] of [
    [0, 0],
    [side - 7, 0],
    [0, side - 7],
  ] as const) {
    const corners = [
      [0.3, 0.3],
      [6.7, 0.3],
      [0.3, 6.7],
      [6.7, 6.7],
    ] as const;
    expect(corners.map(([dx, dy]) => module(x + dx, y + dy) === WHITE)).toEqual([true, true, true, false]);
    // Finder pattern: one dark, one white, three dark, one white, one dark.
    const across = [0, 1, 2, 3, 4, 5, 6].map((column) => module(x + column + 0.5, y + 3.5) !== WHITE);
    expect(across).toEqual([true, false, true, true, true, false, true]);
  }
  const mark = [0.45, 0.5, 0.55].flatMap((x) => [0.45, 0.5, 0.55].map((y) => module(x * side, y * side)));
  expect(mark).toContain('#6c47ff');
});

test('answers the SVG of a QR code, and refuses other sizes', async () => {
  const svg = await bed.fetch(`/api/users/${name}/qr.svg?size=1024`);
  expect([svg.status, ...headersOf(svg)]).toEqual([200, 'image/svg+xml', ...PNG.slice(1)]);
  expect(await svg.text()).toMatch(/^<svg [^>]*width="1024" height="1024"/);
  for (const size of ['0', '513', '99999', 'x', ''])
    expect(await (await bed.fetch(`/api/users/${name}/qr.png?size=${size}`)).json()).toMatchObject({
      code: 'invalid_input',
      fields: { size: 'invalid' },
    });
});

test('shows the avatar, and its letter while media has none to give', async () => {
  const avatar = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#00ff00' } })
    .jpeg()
    .toBuffer();
  bed.upstreams.media.answer((_request, response) => {
    response.writeHead(503).end();
  });
  const green = async (): Promise<boolean> => {
    const bytes = Buffer.from(await (await bed.fetch(`/og/${name}.png`)).arrayBuffer());
    const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return Array.from({ length: data.length / 3 }, (_, at) => at * 3).some(
      (at) => (data[at] ?? 255) < 20 && (data[at + 1] ?? 0) > 230 && (data[at + 2] ?? 255) < 20,
    );
  };
  profile = { id: 7, username: 'Noura', name: 'نورة', bio: '', avatar: '/image/a.webp' };
  expect(await green()).toBe(false);
  bed.upstreams.media.answer((_request, response) => {
    response.setHeader('Content-Type', 'image/jpeg').end(avatar);
  });
  bed.clock.advance(1_000);
  await eventually(async () => expect(await green()).toBe(true));
  expect(bed.upstreams.media.seen.at(-1)?.headers.accept).toBe('image/jpeg');
});

/** Widths of what one colour has in one line of a picture, from left to right. */
const widthsIn = async (answer: Response, y: number, colour: number): Promise<number[]> => {
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const line = Array.from({ length: info.width }, (_, x) => data.readUIntBE((y * info.width + x) * 3, 3) === colour);
  return line
    .map((is) => (is ? '#' : ' '))
    .join('')
    .split(/ +/)
    .filter(Boolean)
    .map(({ length }) => length);
};

test('the story of a sound has a play mark, forty bars of its levels, and its length', async () => {
  message = { userId: 7, ornament: ORNAMENT, content: '', reply: null, audioDuration: 10, audioPeaks: [0, 100, 40] };
  const story = () => bed.fetch(`/story/message/${id}.png`);
  const barsAt = async (y: number) => (await widthsIn(await story(), y, 0x6c47ff)).filter((width) => width < 12).length;
  // The middle, and what only a level of a hundred reaches.
  expect([await barsAt(517), await barsAt(455)]).toEqual([40, 13]);
  const first = (await story()).headers.get('etag');
  message.audioDuration = 11;
  id += 1_000;
  expect((await story()).headers.get('etag')).not.toBe(first);
});

test.each([
  [3_000, 60],
  [60, 3_000],
])('the story of a picture of %i × %i has it, and there is none without it', async (width, height) => {
  const background = '#00ff00';
  const photo = await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
  bed.upstreams.media.answer((_request, response) => {
    response.writeHead(404).end();
  });
  if (message) message.imageUrl = '/image/a.webp';
  const story = () => bed.fetch(`/story/message/${id}.png`);
  expect((await story()).status).toBe(503);
  bed.upstreams.media.answer((_request, response) => {
    response.setHeader('Content-Type', 'image/jpeg').end(photo);
  });
  const answer = await story();
  const green = sharp(photo).raw().toBuffer();
  const colour = (await green).readUIntBE(0, 3);
  expect(await widthsIn(answer, 600, colour)).toEqual([838]);
  expect(bed.upstreams.media.seen.at(-1)).toMatchObject({
    url: '/api/image/a.webp',
    headers: { accept: 'image/jpeg' },
  });
});

/** Side of the bar at the owner's question: an upright line of violet between two heights. */
const barSide = async (answer: Response, from: number, to: number): Promise<'left' | 'right' | undefined> => {
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isViolet = (x: number, y: number): boolean => data.readUIntBE((y * info.width + x) * 3, 3) === 0x6c47ff;
  for (let x = 100; x < info.width - 100; x += 1)
    for (let y = from, run = 0; y < to; y += 1) {
      run = isViolet(x, y) ? run + 1 : 0;
      if (run === 40) return x < info.width / 2 ? 'left' : 'right';
    }
  return undefined;
};

test.each([
  ['/og/message/ID.png', 160, 300],
  ['/story/message/ID.png', 820, 900],
])('shows the question that a message answers in %s, by its own direction', async (path, from, to) => {
  const drawn: (string | undefined)[] = [];
  for (const asked of [undefined, 'What should I read next?', 'ماذا أقرأ بعد؟']) {
    id += 1_000;
    message = { userId: 7, ornament: ORNAMENT, content: 'The Granada trilogy', reply: null };
    if (asked !== undefined) message.prompt = { id: 4, content: asked };
    drawn.push(await barSide(await bed.fetch(path.replace('ID', String(id))), from, to));
  }
  expect(drawn).toEqual([undefined, 'left', 'right']);
});

const refusals: readonly (readonly [string, () => string, string])[] = [
  ['an unknown account', () => `/og/${name}.png`, 'user_not_found'],
  ['the QR code of an unknown account', () => `/api/users/${name}/qr.svg`, 'user_not_found'],
  ['the card of an unknown account', () => `/card/en/${name}.png`, 'user_not_found'],
  ['the question of an unknown account', () => `/story/${name}.png?ask=4`, 'prompt_not_found'],
  ['a message that is not published', () => `/og/message/${id}.png`, 'message_not_found'],
  ['the story of a message that is not published', () => `/story/message/${id}.png`, 'message_not_found'],
];
test.each(refusals)('answers 404 for %s', async (_what, path, code) => {
  profile = message = undefined;
  const answer = await bed.fetch(path());
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await answer.json()).toMatchObject({ code });
});

test('draws a question as soon as it is asked, and none that its page does not ask', async () => {
  const statusOf = async (query: string) => (await bed.fetch(`/story/${name}.png${query}`)).status;
  expect([await statusOf(''), await statusOf('?ask=5')]).toEqual([404, 404]);
  profile?.prompts?.push({ id: 6, content: 'What should I read next?' });
  expect(await statusOf('?ask=6')).toBe(200);
});

test('answers 404 for the message of a closed page, and for one of another account', async () => {
  profile = undefined;
  expect((await bed.fetch(`/og/message/${id}.png`)).status).toBe(404);
  profile = { id: 8, username: 'Noura', name: 'another', bio: '', avatar: null };
  expect((await bed.fetch(`/story/message/${id}.png`)).status).toBe(404);
});

test('a picture of a text with a letter that no font has is refused, and not drawn without it', async () => {
  if (message) message.content = 'سعره \u{13000}٥ ريال';
  for (const path of [`/og/message/${id}.png`, `/story/message/${id}.png`]) {
    const refused = await bed.fetch(path);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'picture_undrawable' });
  }
});

test('texts of other scripts are drawn, and differ in what they say', async () => {
  const pictures = new Set<string>();
  for (const content of [
    '٣٫٥ ريال',
    '٣٥ ريال',
    'قیمت ۳۵ چند؟',
    'ما رأيك في 漢字؟',
    'ما رأيك في 字漢؟',
    'नमस्ते',
    'สวัสดี',
  ]) {
    if (message) message.content = content;
    id += 1_000;
    const answer = await bed.fetch(`/story/message/${id}.png`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    pictures.add(Buffer.from(await answer.arrayBuffer()).toString('base64'));
  }
  expect(pictures.size).toBe(7);
});

test.each(['/og/message/0.png', '/og/message/x.png', '/story/message/1e3.png', '/og/%2e%2e.png'])(
  'refuses %s',
  async (path) => {
    expect((await bed.fetch(path)).status).toBeGreaterThanOrEqual(400);
  },
);

test('a picture is gone once its message is taken back', async () => {
  const paths = [`/og/message/${id}.png`, `/story/message/${id}.png`];
  const statuses = async () => Promise.all(paths.map(async (path) => (await bed.fetch(path)).status));
  expect(await statuses()).toEqual([200, 200]);
  message = undefined;
  await bed.publish({
    $case: 'messageUpdated',
    value: MessageUpdated.fromJSON({ message: { id, userId: 7 }, changesPublic: true }),
  });
  await eventually(async () => expect(await statuses()).toEqual([404, 404]));
});

test('published messages are woven into a carpet, in their order, until they are taken back', async () => {
  const weave = async (...ids: number[]) => {
    published = ids.map((one) => ({ id: one, ornament: ORNAMENT.slice(0, 15) + String(one) }));
    await bed.publish({
      $case: 'messageUpdated',
      value: MessageUpdated.fromJSON({ message: { id, userId: 7 }, changesPublic: true }),
    });
  };
  const carpet = async () => {
    const answer = await bed.fetch(`/carpet/${name}.svg`);
    return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
  };
  const dotsIn = (svg: string) => svg.split('class="d"')[1]?.split('M').length;
  await weave(3, 2, 1);
  await eventually(async () => expect(dotsIn((await carpet())[2])).toBe(4));
  const [status, type, drawing] = await carpet();
  expect([status, type]).toEqual([200, 'image/svg+xml']);
  const link = async () => (await bed.fetch(`/og/${name}.png`)).headers.get('etag');
  const before = await link();
  await weave(1, 3, 2);
  expect((await carpet())[2]).toBe(drawing);
  await weave(3, 1);
  await eventually(async () => expect(dotsIn((await carpet())[2])).toBe(3));
  expect(await link()).not.toBe(before);
  profile = undefined;
  await bed.publish({
    $case: 'userUpdated',
    value: UserUpdated.fromJSON({ userId: 7, username: 'Noura', changesPublic: true }),
  });
  await eventually(async () => expect((await carpet())[0]).toBe(404));
});

test('a picture is gone once its message is deleted', async () => {
  expect((await bed.fetch(`/og/message/${id}.png`)).status).toBe(200);
  message = undefined;
  await bed.publish({
    $case: 'messageDeleted',
    value: MessageDeleted.fromJSON({ messageId: id, userId: 7, changesPublic: true }),
  });
  await eventually(async () => expect((await bed.fetch(`/og/message/${id}.png`)).status).toBe(404));
});

test('shows a new name, and nothing of an account that is gone', async () => {
  const etag = async () => (await bed.fetch(`/og/${name}.png`)).headers.get('etag');
  const before = await etag();
  const changed = {
    $case: 'userUpdated',
    value: UserUpdated.fromJSON({ userId: 7, username: 'Noura', changesPublic: true }),
  } as const;
  profile = { id: 7, username: 'Noura', name: 'نوف', bio: '', avatar: null };
  await bed.publish(changed);
  await eventually(async () => expect(await etag()).not.toBe(before));
  profile = undefined;
  await bed.publish(changed);
  await eventually(async () => expect((await bed.fetch(`/og/${name}.png`)).status).toBe(404));
});

test('a picture stays the same while only the number of visits changes', async () => {
  const first = await bed.fetch(`/og/${name}.png`);
  profile = Object.assign({ visitorCount: 5 }, profile);
  await bed.publish({
    $case: 'userUpdated',
    value: UserUpdated.fromJSON({ userId: 7, username: 'Noura', changesPublic: true }),
  });
  const again = await bed.fetch(`/og/${name}.png`);
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
});

test('refuses more pictures than may wait, and answers others meanwhile', async () => {
  const answers = Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const headers = { 'x-forwarded-for': `198.51.${index}.1` };
      return (await bed.fetch(`/og/message/${1_000 + index}.png`, { headers })).status;
    }),
  );
  let isDone = false;
  void answers.then(() => (isDone = true));
  expect([(await bed.fetch('/health/live')).status, isDone]).toEqual([200, false]);
  expect(new Set(await answers)).toEqual(new Set([200, 503]));
});

test('a crawler finds the picture of a page in its tags', async () => {
  const html = await (await bed.fetch(`/m/${name}`)).text();
  const tags = new Map(
    [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)" \/>/g)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  );
  const image = tags.get('og:image') ?? '';
  expect(image.replace(/[\w-]{11}$/, '')).toBe(`${bed.origin}/og/Noura.png?v=`);
  expect([tags.get('og:image:width'), tags.get('og:image:height'), tags.get('og:image:type')]).toEqual([
    '1200',
    '630',
    'image/png',
  ]);
  expect(tags.get('og:image:alt')).toContain('نورة');
  expect(tags.get('twitter:card')).toBe('summary_large_image');
  const answer = await fetch(image);
  expect([answer.status, ...headersOf(answer)]).toEqual([200, ...PNG]);
});
