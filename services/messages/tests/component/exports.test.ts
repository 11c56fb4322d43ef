import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common';
import { dataUrl, readSample, startTestBed, type BedAccount, type CallerIdentity, type TestBed } from '@najwa/dev-env';
import { loadConfig } from '../../src/config.js';
import { createContext, type MessagesContext } from '../../src/context.js';
import { sendVoice } from '../support/submissions.js';

let bed: TestBed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: BedAccount;
let stranger: BedAccount;

const VISITOR: CallerIdentity = { visitorId: `telltale-${randomUUID()}`, ip: '198.51.100.77' };
const HEADERS = { 'user-agent': 'TelltaleBrowser/1.0', referer: 'https://telltale.example/' };

beforeAll(async () => {
  bed = await startTestBed({ services: ['media', 'auth', 'messages'], env: { EXPORT_LIMIT: '4/86400' } });
  replica = await createContext(loadConfig(bed.environmentOf('messages')));
  await replica.database.connect();
  owner = await bed.newAccount({ name: 'نورة <b>' });
  stranger = await bed.newAccount({ username: 'telltale-sender' });
});

afterAll(async () => {
  await replica.database.close();
  await bed.stop();
});

const create = ({ identity }: BedAccount) => bed.call('messages', 'POST', '/api/exports', { identity });

async function download(path: string, identity: CallerIdentity): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(`${bed.url('messages')}${path}`, {
    headers: { [IDENTITY_HEADER]: await bed.identityToken('messages', identity) },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const DIRECTORY_ENTRY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

/** Files of a ZIP that stores them as they are, by name, as its directory lists them. */
function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = zip.indexOf(DIRECTORY_ENTRY); at !== -1; at = zip.indexOf(DIRECTORY_ENTRY, at + 46)) {
    const size = zip.readUInt32LE(at + 20);
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    files.set(name, zip.subarray(start, start + size));
  }
  return files;
}

test('a file has everything of the account, and nothing of those who wrote to it', async () => {
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
  await bed.sendMessage(stranger.id, { content: 'ما كتبته' }, { identity: owner.identity });

  await bed.call('messages', 'POST', '/api/reports', {
    identity: owner.identity,
    body: { messageId: first.id, reason: 'spam', comment: 'تعليقي' },
  });

  const { status, body } = await create(owner);
  const { id, expiresAt } = body as { id: number; expiresAt: string };
  expect([status, body]).toEqual([201, { id, status: 'ready', progress: 100, expiresAt }]);
  const { bytes } = await download(`/api/exports/${id}/file?language=ar`, owner.identity);
  const files = unzip(bytes);
  const json = (name: string) => JSON.parse(files.get(name)?.toString() ?? '') as { id: number; content: string }[];
  expect(json('account.json')).toMatchObject({
    username: owner.username,
    name: 'نورة <b>',
    filters: { words: ['إعلان'] },
  });
  expect(
    json('messages.json')
      .map((message) => message.id)
      .sort(),
  ).toEqual([first.id, first.id + 1, fromAccount.id, aside.id].sort());
  expect(json('messages.json')).toContainEqual(
    expect.objectContaining({ id: fromAccount.id, reply: expect.objectContaining({ content: 'ردّي' }) as unknown }),
  );
  expect(json('sent.json')).toEqual([expect.objectContaining({ content: 'ما كتبته' })]);
  expect(JSON.parse(files.get('reports.json')?.toString() ?? '')).toMatchObject([
    { messageId: first.id, reason: 'spam', comment: 'تعليقي', outcome: null },
  ]);
  expect(files.get(`pictures/${first.id}.webp`)?.toString('latin1', 8, 12)).toBe('WEBP');
  expect(files.get(`sounds/${first.id + 1}.m4a`)?.toString('latin1', 4, 8)).toBe('ftyp');
  const page = files.get('index.html')?.toString() ?? '';
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('سلام &lt;script&gt;');
  expect(page).not.toContain('<script');
  expect(page).toContain(`src="pictures/${first.id}.webp"`);

  const all = bytes.toString('latin1') + bytes.toString('utf8');
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

test('a file is private to its account, for a day', async () => {
  const { id } = (await create(owner)).body as { id: number };
  const statuses = async (identity: CallerIdentity) => [
    (await bed.call('messages', 'GET', `/api/exports/${id}`, { identity })).status,
    (await download(`/api/exports/${id}/file`, identity)).status,
  ];
  expect(await statuses(owner.identity)).toEqual([200, 200]);
  expect(await statuses(stranger.identity)).toEqual([404, 404]);
  expect(await statuses({})).toEqual([401, 401]);
  await replica.database.connection.collection('exports').updateOne({ id }, { $set: { expiresAt: new Date(0) } });
  expect(await statuses(owner.identity)).toEqual([404, 404]);
  await replica.exports.forgetOld(new Date());
  expect(await replica.database.connection.collection('exports').countDocuments({ id })).toBe(0);
});

test('an account may prepare a few a day', async () => {
  const statuses = [];
  for (let tries = 0; tries < 5; tries += 1) statuses.push((await create(stranger)).status);
  expect(statuses).toEqual([201, 201, 201, 201, 429]);
});
