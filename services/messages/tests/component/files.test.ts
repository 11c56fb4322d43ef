import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import { dataUrl, readSample, startTestBed, type BedAccount, type TestBed } from '@najwa/testing';
import type { Connection } from 'mongoose';

const DAY_MS = 24 * 60 * 60 * 1000;

let bed: TestBed;
let media: Connection;
let owner: BedAccount;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'media', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  media = await bed.openDatabase('media');
  owner = await bed.newAccount();
});

afterAll(async () => {
  await media.close();
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
