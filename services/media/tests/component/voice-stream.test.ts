import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { messageState, sample, startMediaBed, type Fetched, type MediaBed } from './media-bed.js';

const OWNER = { userId: 1 };

let media: MediaBed;
let path: string;
let whole: Fetched;

beforeAll(async () => {
  media = await startMediaBed();
  const { name } = await media.morph(await sample('speech-stereo.webm'), { readerIds: [OWNER.userId] });
  await media.deliver({
    $case: 'messageCreated',
    value: { message: messageState({ audioName: name }) },
  });
  path = `/audio/stream/${name}`;
  whole = await media.fetchSound(path, { identity: OWNER });
});

afterAll(() => media.stop());

const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  media.fetchSound(path, { identity: OWNER, headers, method });

test('a whole sound has headers that only let a browser play it', () => {
  expect(whole.status).toBe(200);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'audio/mp4',
    'content-length': String(whole.bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
});

describe('a range', () => {
  const size = () => whole.bytes.length;

  test.each<[string, (size: number) => string, (size: number) => [number, number]]>([
    ['from the start', () => 'bytes=0-99', () => [0, 99]],
    ['one byte', () => 'bytes=5-5', () => [5, 5]],
    ['to the end', () => 'bytes=1000-', (all) => [1000, all - 1]],
    ['the last bytes', () => 'bytes=-500', (all) => [all - 500, all - 1]],
    ['a suffix longer than the sound', (all) => `bytes=-${all + 500}`, (all) => [0, all - 1]],
    ['beyond the end', (all) => `bytes=100-${all + 500}`, (all) => [100, all - 1]],
    ['the last byte', (all) => `bytes=${all - 1}-`, (all) => [all - 1, all - 1]],
  ])('a range gets its part of a sound: %s', async (_name, header, expected) => {
    const [start, end] = expected(size());
    const part = await ask({ range: header(size()) });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size()}`);
    expect(part.headers.get('content-length')).toBe(String(end - start + 1));
    expect(part.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(part.bytes.equals(whole.bytes.subarray(start, end + 1))).toBe(true);
  });

  test.each([
    ['in another unit', 'seconds=0-1'],
    ['that is malformed', 'bytes=a-b'],
    ['without numbers', 'bytes'],
    ['with several parts', 'bytes=0-9,100-109'],
    ['that ends before it begins', 'bytes=9-0'],
  ])('a range %s gets the whole sound', async (_name, range) => {
    expect((await ask({ range })).bytes.equals(whole.bytes)).toBe(true);
  });

  test('a range that begins after the end is refused with the size', async () => {
    const refusal = await ask({ range: `bytes=${size()}-` });
    expect(refusal.status).toBe(416);
    expect(refusal.headers.get('content-range')).toBe(`bytes */${size()}`);
    expect(JSON.parse(refusal.bytes.toString())).toMatchObject({ code: 'range_not_satisfiable' });
    expect([refusal.headers.get('cache-control'), refusal.headers.get('etag')]).toEqual(['no-store', null]);
    await media.bed.call('media', 'GET', `/api${path}`, { identity: OWNER, headers: { range: `bytes=${size()}-` } });
  });

  test('a range with a matching If-Range gets the part, otherwise the whole sound', async () => {
    const range = 'bytes=0-9';
    expect((await ask({ range, 'if-range': whole.headers.get('etag') ?? '' })).status).toBe(206);
    expect((await ask({ range, 'if-range': '"another"' })).status).toBe(200);
    expect((await ask({ range, 'if-range': new Date().toUTCString() })).status).toBe(200);
  });
});

test('HEAD of a sound answers like GET without a body', async () => {
  const head = await ask({ range: 'bytes=0-9' }, 'HEAD');
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  for (const header of ['content-type', 'content-length', 'accept-ranges', 'etag', 'cache-control'])
    expect(head.headers.get(header)).toBe(whole.headers.get(header));
});

test('a matching ETag of a sound gets 304, with or without a range', async () => {
  const condition = { 'if-none-match': whole.headers.get('etag') ?? '' };
  expect(await ask(condition)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  expect((await ask({ ...condition, range: 'bytes=0-9' })).status).toBe(304);
  expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200);
});

test('twenty concurrent listeners get the same bytes', async () => {
  const copies = await Promise.all(Array.from({ length: 20 }, () => ask({})));
  expect(copies.filter(({ bytes }) => !bytes.equals(whole.bytes))).toEqual([]);
});
