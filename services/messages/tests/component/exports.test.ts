// Long run: exports of many months, with crashes.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import {
  dataUrl,
  eventually,
  readSample,
  startTestBed,
  type BedAccount,
  type CallerIdentity,
  type TestBed,
} from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { PART_BYTES } from '../../src/exports/archive.js';
import { ExportWorker } from '../../src/exports/worker.js';
import { makeZip, type ZipEntry } from '../../src/exports/zip.js';
import { openReplica, replacing } from '../support/replica.js';
import { sendVoice } from '../support/submissions.js';
import { unzip } from '../support/unzip.js';

let bed: TestBed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: BedAccount;
let stranger: BedAccount;

const VISITOR: CallerIdentity = { visitorId: `telltale-${randomUUID()}`, ip: '198.51.100.77' };
const HEADERS = { 'user-agent': 'TelltaleBrowser/1.0', referer: 'https://telltale.example/' };

beforeAll(async () => {
  bed = await startTestBed({ services: ['media', 'auth', 'chatbot', 'messages'], env: { EXPORT_LIMIT: '2/86400' } });
  replica = await openReplica(bed);
  owner = await bed.newAccount({ name: 'نورة <b>' });
  stranger = await bed.newAccount({ username: 'telltale-sender' });
});

afterAll(async () => {
  replica.media.close();
  await replica.database.close();
  await bed.stop();
});

interface Export {
  id: number;
  status: string;
  progress: number;
  size?: number;
  expiresAt: string;
}

const create = ({ identity }: { identity: CallerIdentity }, language = 'ar') =>
  bed.call('messages', 'POST', `/api/exports?language=${language}`, { identity });

const read = async (id: number, identity: CallerIdentity): Promise<Export> =>
  (await bed.call('messages', 'GET', `/api/exports/${id}`, { identity })).body as Export;

/** Has a file gathered. @returns its id */
async function gather(account: BedAccount, language?: string): Promise<number> {
  const { status, body } = await create(account, language);
  expect(status).toBe(201);
  const { id, size } = body as Export;
  expect(size).toBeUndefined();
  await eventually(async () =>
    expect(await read(id, account.identity)).toMatchObject({ status: 'ready', progress: 100 }),
  );
  return id;
}

const jobs = () => replica.database.connection.collection('export_jobs');

interface Download {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

async function download(id: number, identity: CallerIdentity, init: RequestInit = {}): Promise<Download> {
  const response = await fetch(`${bed.url('messages')}/api/exports/${id}/file`, {
    ...init,
    headers: { ...init.headers, [IDENTITY_HEADER]: await bed.identityToken('messages', identity) },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

// Threat model: owner-23.
test('an export has everything of the account, and nothing of the senders', async () => {
  const picture = dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');
  const audio = await readSample('speech-0.3s.webm');
  const options = { identity: VISITOR, headers: HEADERS };
  const first = await bed.sendMessage(
    owner.id,
    { content: 'سلام <script>alert(1)</script>', imageUrl: picture },
    options,
  );
  expect((await sendVoice(bed, owner.id, { ...options, audio })).status).toBe(201);
  const fromAccount = await bed.sendMessage(owner.id, { content: 'من حساب' }, { identity: stranger.identity });
  await bed.call('messages', 'POST', '/api/replies', {
    identity: owner.identity,
    body: { messageId: fromAccount.id, content: 'ردّي' },
  });
  await bed.call('messages', 'PUT', '/api/filters', {
    identity: owner.identity,
    body: { words: ['إعلان'], lists: [] },
  });
  const aside = await bed.sendMessage(owner.id, { content: 'إعلان' }, options);
  const following = await bed.call('messages', 'POST', `/api/messages/${fromAccount.id}/follow-ups`, {
    identity: stranger.identity,
    body: { content: 'ومرة أخرى' },
  });
  const { id: followingId } = following.body as { id: number };
  await bed.sendMessage(stranger.id, { content: 'ما كتبته' }, { identity: owner.identity });

  await bed.call('messages', 'POST', '/api/reports', {
    identity: owner.identity,
    body: { messageId: first.id, reason: 'spam', comment: 'تعليقي' },
  });

  const question = 'كيف أحجب أحدًا؟';
  const asked = { body: { message: question, imageUrl: null } };
  const { body: answered } = await bed.call('chatbot', 'POST', '/api/chat', { identity: owner.identity, ...asked });
  await bed.call('chatbot', 'POST', '/api/chat', {
    identity: stranger.identity,
    body: { ...asked.body, message: 'elltale' },
  });

  const { bytes } = await download(await gather(owner), owner.identity);
  const files = unzip(bytes);
  const json = (name: string) => JSON.parse(files.get(name)?.toString() ?? '') as { id: number; content: string }[];
  expect(json('account.json')).toMatchObject({
    username: owner.username,
    name: 'نورة <b>',
    gender: 'male',
    filters: { words: ['إعلان'] },
  });
  expect(
    json('messages.json')
      .map((message) => message.id)
      .sort(),
  ).toEqual([first.id, first.id + 1, fromAccount.id, aside.id, followingId].sort());
  expect(json('messages.json')).toContainEqual(
    expect.objectContaining({ id: followingId, conversationId: fromAccount.id }),
  );
  expect(json('messages.json')).toContainEqual(
    expect.objectContaining({ id: fromAccount.id, reply: expect.objectContaining({ content: 'ردّي' }) as unknown }),
  );
  expect(json('sent.json')).toEqual([expect.objectContaining({ content: 'ما كتبته' })]);
  expect(JSON.parse(files.get('reports.json')?.toString() ?? '')).toMatchObject([
    { messageId: first.id, reason: 'spam', comment: 'تعليقي', outcome: null },
  ]);
  expect(JSON.parse(files.get('assistant.json')?.toString() ?? '')).toEqual([
    expect.objectContaining({ question, answer: (answered as { response: string }).response, picture: null }),
  ]);
  expect(files.get(`pictures/${first.id}.webp`)?.toString('latin1', 8, 12)).toBe('WEBP');
  expect(files.get(`sounds/${first.id + 1}.m4a`)?.toString('latin1', 4, 8)).toBe('ftyp');
  const page = files.get('index.html')?.toString() ?? '';
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('سلام &lt;script&gt;');
  expect(page).not.toContain('<script');
  expect(page).toContain(`src="pictures/${first.id}.webp"`);
  expect(page).toMatch(/<h2>ما كتبته<\/h2>\s*<article><p dir="auto">ما كتبته<\/p>/);

  const read = Buffer.concat([bytes, ...files.values()]);
  const all = read.toString('latin1') + read.toString('utf8');
  const traces = [
    'elltale',
    '198.51.100',
    VISITOR.visitorId ?? '',
    'Canon',
    '"sender',
    '"tags"',
    'wayBack',
    'submission',
  ];
  expect(traces.filter((trace) => all.includes(trace))).toEqual([]);
});

// Threat model: owner-24.
test('an export is private to its account, for a day', async () => {
  const id = await gather(owner);
  const statuses = async (identity: CallerIdentity) => [
    (await bed.call('messages', 'GET', `/api/exports/${id}`, { identity })).status,
    (await download(id, identity)).status,
    (await bed.call('messages', 'GET', '/api/exports', { identity })).body,
  ];
  const listed = [expect.objectContaining({ id, status: 'ready' })];
  expect(await statuses(owner.identity)).toEqual([200, 200, listed]);
  expect(await statuses(stranger.identity)).toEqual([404, 404, []]);
  expect((await statuses({})).slice(0, 2)).toEqual([401, 401]);
  const { headers } = await download(id, owner.identity, { method: 'HEAD' });
  expect([headers.get('cache-control'), headers.get('content-disposition')]).toEqual([
    'private, no-store',
    `attachment; filename="najwa-${id}.zip"`,
  ]);
  await jobs().updateOne({ id }, { $set: { expiresAt: new Date(0) } });
  expect(await statuses(owner.identity)).toEqual([404, 404, []]);
  await replica.exports.forgetOld(new Date());
  expect(await jobs().countDocuments({ id })).toBe(0);
});

// Threat model: minio-4.
test('a broken download of an export resumes with a range, also across parts', async () => {
  const account = await bed.newAccount();
  const noise = randomBytes(2 * PART_BYTES).toString('base64');
  const first = await bed.sendMessage(account.id, { content: 'سلام' });
  // Longer than a message may be, so that the file has several parts.
  await replica.messages.collection.updateOne({ id: first.id }, { $set: { content: noise } });
  const id = await gather(account);
  const whole = await download(id, account.identity);
  const etag = whole.headers.get('etag') ?? '';
  expect(whole.bytes.length).toBeGreaterThan(3 * PART_BYTES);
  expect(whole.headers.get('content-length')).toBe(String(whole.bytes.length));
  expect(await read(id, account.identity)).toMatchObject({ size: whole.bytes.length });
  const from = PART_BYTES - 10;
  for (const [range, start, end] of [
    [`bytes=${from}-`, from, whole.bytes.length],
    [`bytes=${from}-${from + 19}`, from, from + 20],
    ['bytes=-7', whole.bytes.length - 7, whole.bytes.length],
  ] as const) {
    const { status, headers, bytes } = await download(id, account.identity, { headers: { range, 'if-range': etag } });
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${whole.bytes.length}`]);
    expect(bytes.equals(whole.bytes.subarray(start, end))).toBe(true);
  }
  const beyond = await download(id, account.identity, { headers: { range: `bytes=${whole.bytes.length}-` } });
  expect(beyond.status).toBe(416);
  const [{ archive = '' } = {}] = (await jobs().find({ id }).toArray()) as { archive?: string }[];
  const { content } = await replica.media.getArchivePart({ archive, index: 1 });
  expect(whole.bytes.includes(content.subarray(100, 200))).toBe(false);
});

test('an export whose worker died is gathered by another one, which removes the leftovers', async () => {
  const account = await bed.newAccount();
  const expiresAt = new Date(Date.now() + 60_000);
  const archive = randomUUID();
  await replica.media.storeArchivePart({
    archive,
    index: 0,
    content: Buffer.from('left'),
    ownerId: account.id,
    expiresAt,
  });
  await jobs().insertOne({
    id: 1_000_000,
    userId: account.id,
    language: 'en',
    status: 'gathering',
    progress: 40,
    tries: 1,
    archive,
    takeAt: expiresAt,
    file: null,
    expiresAt,
  });
  const early = await download(1_000_000, account.identity);
  expect([early.status, JSON.parse(early.bytes.toString())]).toMatchObject([404, { code: 'not_found' }]);
  expect(await create(account)).toMatchObject({ status: 409, body: { code: 'export_running' } });
  await jobs().updateOne({ id: 1_000_000 }, { $set: { takeAt: new Date() } });
  await eventually(async () => expect(await read(1_000_000, account.identity)).toMatchObject({ status: 'ready' }));
  const { bytes } = await download(1_000_000, account.identity);
  expect(unzip(bytes).get('index.html')?.toString()).toContain('<html lang="en" dir="ltr">');
  await eventually(() =>
    expect(replica.media.getArchivePart({ archive, index: 0 })).rejects.toMatchObject({ code: 'media_not_found' }),
  );
});

test('a heartbeat after the end of an export job changes nothing', async () => {
  const account = await bed.newAccount();
  const id = await gather(account);
  const found = await replica.exports.find(account.id, id);
  if (found?.archive == null) throw new Error('The export is missing.');
  const job = { ...found, archive: found.archive };
  expect(await replica.exports.renew(job, { progress: 99, takeAt: new Date() })).toBe(false);
  expect(await read(id, account.identity)).toMatchObject({ status: 'ready', progress: 100 });
});

test('an export stays although the database connection broke before confirming completion', async () => {
  const account = await bed.newAccount();
  const [takeAt, expiresAt] = [new Date(Date.now() + 60_000), new Date(Date.now() + 600_000)];
  await jobs().insertOne({
    id: 2_000_000,
    userId: account.id,
    language: 'en',
    status: 'gathering',
    progress: 0,
    tries: 0,
    archive: null,
    takeAt,
    file: null,
    expiresAt,
  });
  const { exports } = replica;
  let takes = 0;
  let onHandedBack: () => void = () => undefined;
  const handedBack = new Promise<void>((resolve) => (onHandedBack = resolve));
  const worker = new ExportWorker({
    ...replica,
    exports: replacing(exports, {
      // Before other replicas see it as due, and once: by that time, its lease is over.
      take: async (_now, leasedUntil) => (takes++ === 0 ? exports.take(takeAt, leasedUntil) : null),
      async complete(...job) {
        await exports.complete(...job);
        throw new Error('connection closed');
      },
      handBack: (...job) => exports.handBack(...job).finally(onHandedBack),
    }),
  });
  worker.start();
  await handedBack;
  await worker.stop();
  expect(await read(2_000_000, account.identity)).toMatchObject({ status: 'ready', progress: 100 });
  const { status, bytes } = await download(2_000_000, account.identity);
  expect([status, [...unzip(bytes).keys()]]).toEqual([200, expect.arrayContaining(['account.json', 'messages.json'])]);
});

// Threat model: owner-24.
test("a new export replaces the account's earlier one, a few times a day", async () => {
  const account = await bed.newAccount();
  const first = await gather(account);
  const { archive = '' } = (await jobs().findOne({ id: first })) as { archive?: string };
  const second = await gather(account, 'en');
  expect((await create(account)).status).toBe(429);
  expect([(await download(first, account.identity)).status, (await download(second, account.identity)).status]).toEqual(
    [404, 200],
  );
  await eventually(() =>
    expect(replica.media.getArchivePart({ archive, index: 0 })).rejects.toMatchObject({ code: 'media_not_found' }),
  );
});

test('a failing export job reports its failure, keeps retrying, and can be replaced', async () => {
  // No such account, so gathering fails whenever it is tried.
  const identity = { userId: 77_000_000 };
  const { id } = (await create({ identity })).body as Export;
  await eventually(async () => {
    // Without the pauses between tries.
    await jobs().updateOne({ id, tries: { $lt: 3 }, takeAt: { $gt: new Date() } }, { $set: { takeAt: new Date(0) } });
    expect(await read(id, identity)).toMatchObject({ status: 'failed' });
  });
  await jobs().updateOne({ id }, { $set: { takeAt: new Date(0) } });
  await eventually(async () => expect(await jobs().findOne({ id })).toMatchObject({ tries: 4, status: 'failed' }));
  expect((await create({ identity })).status).toBe(201);
});

test('an export of more than 65,535 entries uses Zip64', async () => {
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    const input = await Promise.resolve(Buffer.from('a'));
    for (let index = 0; index < 65_536; index += 1) yield { name: `sounds/${index}.m4a`, input };
  };
  const parts: Buffer[] = [];
  for await (const part of makeZip(entries())) parts.push(part);
  const zip = Buffer.concat(parts);
  const end = zip.subarray(-98);
  expect([end.readUInt32LE(0), end.readUInt16LE(98 - 12)]).toEqual([0x06064b50, 0xffff]);
  const [count, start] = [24, 48].map((at) => Number(end.readBigUInt64LE(at)));
  expect([count, zip.readUInt32LE(start)]).toEqual([65_536, 0x02014b50]);
});
