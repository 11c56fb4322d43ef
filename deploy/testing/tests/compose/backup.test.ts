import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dataUrl, inboxOf, readSample, startTestSystem, type TestAccount, type TestSystem } from '@najwa/testing';
import { inProject, inSecondProject, secondUrl, SERVICES } from './stack.js';

/** Checksums of all documents and objects in a backup, but for counts. Runs in its image, which reaches the stores. */
const LIST_CONTENT = `
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { connectStores, DATABASE_SERVICES, loadConfig } from './dist/stores.js';
const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
const { databaseOf, files, bucket, close } = await connectStores(loadConfig(process.env));
const documents = {};
for (const service of DATABASE_SERVICES)
  for (const { name } of await databaseOf(service).listCollections().toArray()) {
    if (['rate_limits', 'export_jobs', 'archives', 'counters', 'message_counts', 'restores'].includes(name)) continue;
    const found = await databaseOf(service).collection(name).find({}, { raw: true, sort: { _id: 1 } }).toArray();
    documents[service + '.' + name] = found.map(hash);
  }
const objects = {};
if (await files.bucketExists(bucket))
  for await (const { name } of files.listObjectsV2(bucket, '', true)) {
    const { metaData } = await files.statObject(bucket, name);
    objects[name] = metaData['content-type'] + ' ' + hash(await buffer(await files.getObject(bucket, name)));
  }
await close();
console.log(JSON.stringify({ documents, objects }));`;

interface Content {
  documents: Record<string, string[]>;
  objects: Record<string, string>;
}

type Compose = typeof inProject;

/** With `folder` at /backups. */
const runBackup = (compose: Compose, folder: string, ...args: string[]): Promise<string> => {
  const user = `${process.getuid?.() ?? 1000}:${process.getgid?.() ?? 1000}`;
  return compose('run', '--rm', '-T', '--user', user, '--volume', `${folder}:/backups`, 'backup', 'node', ...args);
};

async function contentOf(compose: Compose, folder: string): Promise<Content> {
  const output = await runBackup(compose, folder, '--input-type=module', '--eval', LIST_CONTENT);
  // Compose may print what it builds first.
  return JSON.parse(output.split('\n').at(-1) ?? '') as Content;
}

async function sendVoice({ url }: TestSystem, userId: number): Promise<string> {
  const form = new FormData();
  form.set('audio', new File([new Uint8Array(await readSample('speech-0.3s.webm'))], 'recording.webm'));
  form.set('voiceType', 'female');
  form.set('userId', String(userId));
  const headers = { origin: url, 'x-requested-with': 'XMLHttpRequest', 'idempotency-key': randomUUID() };
  const response = await fetch(`${url}/api/audio/upload`, { method: 'POST', headers, body: form });
  expect(response.status).toBe(201);
  return ((await response.json()) as { audioUrl: string }).audioUrl;
}

async function checksumOf(origin: string, target: string, { cookie }: TestAccount): Promise<string> {
  const response = await fetch(`${origin}/api${target}`, { headers: { cookie } });
  expect([target, response.status]).toEqual([target, 200]);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

let system: TestSystem;
let folder: string;

beforeAll(async () => {
  system = await startTestSystem();
  folder = await mkdtemp(path.join(tmpdir(), 'najwa-backup-'));
});

afterAll(async () => {
  await inSecondProject('down', '--volumes', '--timeout', '5');
  await inProject('up', '--detach', '--no-build', '--wait');
  await rm(folder, { recursive: true, force: true });
});

test('a backup restored into an empty stack has every document and object, and serves them', async () => {
  const owner = await system.newAccount();
  const imageUrl = dataUrl(await readSample('photo.png'), 'image/png');
  for (let index = 0; index < 20; index += 1) await system.sendMessage(owner.id, { content: `رسالة ${index}` });
  await system.sendMessage(owner.id, { content: 'with a picture', imageUrl });
  const voice = await sendVoice(system, owner.id);
  const inbox = await inboxOf(system, owner);
  const picture = inbox.find(({ content }) => content === 'with a picture')?.imageUrl ?? '';
  // Media learns the owner of a picture by an event.
  let files: string[] = [];
  await system.eventually(async () => {
    files = await Promise.all([picture, voice].map((file) => checksumOf(system.url, file, owner)));
  });

  await inProject('stop', ...SERVICES);
  await mkdir(path.join(folder, 'full'), { mode: 0o700 });
  await runBackup(inProject, folder, 'bin/backup.js', '/backups/full');
  const original = await contentOf(inProject, folder);
  expect(original.documents['messages.messages']?.length).toBeGreaterThanOrEqual(22);
  expect(Object.keys(original.objects).length).toBeGreaterThanOrEqual(2);

  await inSecondProject('up', '--detach', '--no-build', '--wait', 'mongo', 'minio', 'rabbitmq');
  expect(await contentOf(inSecondProject, folder)).toEqual({ documents: {}, objects: {} });
  await runBackup(inSecondProject, folder, 'bin/restore.js', '/backups/full');
  expect(await contentOf(inSecondProject, folder)).toEqual(original);

  await inSecondProject('up', '--detach', '--no-build', '--wait');
  const url = await secondUrl();
  const answer = await fetch(`${url}/api/messages?sort=oldest&limit=100`, { headers: { cookie: owner.cookie } });
  expect(await answer.json()).toEqual(inbox);
  const stats = await fetch(`${url}/api/messages/stats`, { headers: { cookie: owner.cookie } });
  expect(await stats.json()).toMatchObject({ received: 22, unread: 22 });
  expect(await Promise.all([picture, voice].map((file) => checksumOf(url, file, owner)))).toEqual(files);

  const changed = await inSecondProject('run', '--rm', '-T', 'keep-less', 'off');
  expect(changed).toMatch(/^tracking {2}sender_tracking_info {2}2\d documents changed$/m);
});
