import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import { dataUrl, readSample, startTestBed, type BedAccount, type TestBed } from '@najwa/testing';
import type { Connection } from 'mongoose';
import type { MessagesContext } from '../../src/context.js';
import { ExportWorker } from '../../src/exports/worker.js';
import { updateMessage } from '../../src/inbox/inbox.js';
import { openReplica, replacing } from '../support/replica.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let bed: TestBed;
let media: Connection;
/** A second replica without an open port, whose events wait for the first one. */
let replica: MessagesContext;
let owner: BedAccount;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'media', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  media = await bed.openDatabase('media');
  replica = await openReplica(bed);
  owner = await bed.newAccount();
});

afterAll(async () => {
  await media.close();
  for (const client of [replica.auth, replica.media]) client.close();
  await replica.database.close();
  await bed.stop();
});

const recordOf = (name: string) => media.collection('pictures').findOne({ name });

test('a picture whose event never reached media is kept: messages claims it', async () => {
  const imageUrl = dataUrl(await readSample('photo.png'), 'image/png');
  const sent = await bed.sendMessage(owner.id, { imageUrl });
  const name = sent.imageUrl?.split('/').at(-1) ?? '';
  await bed.eventually(async () => expect(await recordOf(name)).toMatchObject({ unclaimedSince: null }));
  const unclaimedSince = new Date(Date.now() - 3 * DAY_MS);
  const forgotten = { ...(await recordOf(name)), _id: undefined, name: 'forgotten', storageKey: randomUUID() };
  const asked = { unclaimedSince, askedAt: new Date(), revision: -1 };
  await media.collection('pictures').insertOne({ ...forgotten, ...asked } as never);
  await media.collection('pictures').updateOne({ name }, { $set: asked });

  const value = { messageFiles: [name, 'forgotten'], avatars: [] };
  await bed.publish([createEvent(randomUUID(), { $case: 'filesUnclaimed', value })]);
  await bed.eventually(async () =>
    expect([await recordOf(name), await recordOf('forgotten')]).toMatchObject([
      { status: 'stored', unclaimedSince: null },
      { status: 'abandoned' },
    ]),
  );
  expect((await bed.call('media', 'GET', `/api/image/${name}`, { identity: owner.identity })).status).toBe(200);
});

test('auth claims the pictures that belong to an account', async () => {
  const avatar = dataUrl(await readSample('photo.png'), 'image/png');
  await bed.call('auth', 'PATCH', '/api/users', { identity: owner.identity, body: { avatar } });
  const { body } = await bed.call('auth', 'GET', '/api/user', { identity: owner.identity });
  const name = (body as { avatar: string }).avatar.split('/').at(-1) ?? '';
  await bed.eventually(async () => expect(await recordOf(name)).toMatchObject({ unclaimedSince: null }));
  const asked = { unclaimedSince: new Date(Date.now() - 3 * DAY_MS), askedAt: new Date(), revision: -1 };
  await media.collection('pictures').updateOne({ name }, { $set: asked });
  const value = { messageFiles: [], avatars: [name] };
  await bed.publish([createEvent(randomUUID(), { $case: 'filesUnclaimed', value })]);
  await bed.eventually(async () =>
    expect(await recordOf(name)).toMatchObject({ status: 'stored', unclaimedSince: null }),
  );
});

test('a picture is public as soon as its message is published, and private again at once', async () => {
  const imageUrl = dataUrl(await readSample('photo.png'), 'image/png');
  const sent = await bed.sendMessage(owner.id, { imageUrl });
  const statuses: number[] = [];
  for (const isPublic of [true, false]) {
    await updateMessage(replica, owner.id, sent.id, { isPublic });
    statuses.push((await bed.call('media', 'GET', `/api${sent.imageUrl}`)).status);
  }
  expect(statuses).toEqual([200, 404]);
});

test('an export is called failed after its third try', async () => {
  const { exports } = replica;
  const [id, takeAt, expiresAt] = [1_000_000, new Date(Date.now() + 60_000), new Date(Date.now() + 600_000)];
  // No such account, so gathering fails whenever it is tried.
  const identity = { userId: 77_000_000 };
  await replica.database.connection.collection('export_jobs').insertOne({
    id,
    userId: identity.userId,
    language: 'en',
    status: 'gathering',
    progress: 0,
    tries: 1,
    archive: null,
    takeAt,
    file: null,
    expiresAt,
  });
  const shown: unknown[] = [];
  let isTaken = false;
  const worker = new ExportWorker({
    ...replica,
    exports: replacing(exports, {
      // Before the first replica sees it as due, and one try after the other.
      async take(_now, leasedUntil) {
        if (isTaken) return null;
        isTaken = true;
        return exports.take(takeAt, leasedUntil);
      },
      async handBack(...job) {
        const isOwn = await exports.handBack(...job);
        const { body } = await bed.call('messages', 'GET', `/api/exports/${id}`, { identity });
        shown.push((body as { status: string }).status);
        isTaken = shown.includes('failed');
        return isOwn;
      },
    }),
  });
  worker.start();
  await bed.eventually(() => expect(shown).toContain('failed'));
  await worker.stop();
  expect(shown).toEqual(['gathering', 'failed']);
});
