import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGrpcClient, unary } from '@najwa/common/grpc';
import type { Event } from '@najwa/proto/events';
import { ImageKind, MediaServiceClient } from '@najwa/proto/media';
import { createContext, type MediaContext } from '../../src/context.js';
import { loadConfig } from '../../src/index.js';
import { readArchivePart, removeArchive, storeArchivePart } from '../../src/archives/archives.js';
import { storePicture, type NewPicture } from '../../src/pictures/pictures.js';
import { removeKept } from '../../src/files/removal.js';
import { previewVoice } from '../../src/sounds/sounds.js';
import { sweep } from '../../src/files/sweep.js';
import {
  longConnected,
  messageState,
  newStorageKey,
  sample,
  startMediaBed,
  sweepUnclaimed,
  type MediaBed,
  type Payload,
} from './media-bed.js';

const OWNER = 1;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let media: MediaBed;
/** A second replica without an open port. */
let replica: MediaContext;
let name: string;

beforeAll(async () => {
  media = await startMediaBed();
  replica = await createContext(loadConfig(media.bed.environmentOf('media')));
  await replica.database.connect();
  await replica.bus.start();
  await media.bed.eventually(() => expect(replica.bus.isConnected()).toBe(true));
});

beforeEach(async () => {
  ({ name } = await media.store(await sample('1x1.png'), { readerIds: [OWNER] }));
});

afterAll(async () => {
  await replica.bus.stop();
  replica.blobs.close();
  await replica.database.close();
  await media.stop();
});

const updated = (isPublic: boolean, revision: number): Payload => ({
  $case: 'messageUpdated',
  value: { message: messageState({ imageName: name, isPublic, revision }) },
});
const deleted = (revision: number): Payload => ({
  $case: 'messageDeleted',
  value: { messageId: 1, userId: OWNER, revision, imageName: name, audioName: '' },
});

const statusFor = async (userId?: number): Promise<number> =>
  (await media.fetchImage(name, userId === undefined ? {} : { identity: { userId } })).status;

/** Store keys of a picture without a small form. */
const formsOf = (picture: string): string[] => [picture, `${picture}.jpeg`];

/** Store keys of a picture, in any form. */
const objectsOf = async (picture: string): Promise<string[]> =>
  (await media.listObjects()).filter((key) => key.startsWith(picture));

describe('storing', () => {
  test('stores one picture for twenty concurrent calls with the same key', async () => {
    const [content, storageKey] = [await sample('photo.png'), newStorageKey()];
    const before = await media.listObjects();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => media.store(content, { storageKey, readerIds: [OWNER] })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const added = (await media.listObjects()).filter((key) => !before.includes(key));
    expect(added.sort()).toEqual(formsOf(answers[0]?.name ?? ''));
    expect(await media.store(content, { storageKey, readerIds: [OWNER] })).toEqual(answers[0]);
  });

  test('stores one picture when two replicas are called concurrently', async () => {
    const picture: NewPicture = {
      content: await sample('photo.png'),
      storageKey: newStorageKey(),
      readerIds: [OWNER],
      kind: 'message',
      senderKey: 'user 1',
    };
    const before = await media.listObjects();
    const answers = await Promise.all([
      media.store(picture.content, { storageKey: picture.storageKey, readerIds: picture.readerIds }),
      storePicture(replica, picture),
    ]);
    expect(answers[1]).toMatchObject(answers[0]);
    expect((await media.listObjects()).filter((key) => !before.includes(key)).sort()).toEqual(formsOf(answers[0].name));
  });

  /** A replica whose bytes arrive at the store after something else has happened. */
  const slowReplica = (meanwhile: () => Promise<void>): MediaContext => {
    let happening: Promise<void> | undefined;
    return {
      ...replica,
      blobs: {
        ...replica.blobs,
        async put(key, bytes, contentType) {
          await (happening ??= meanwhile());
          await replica.blobs.put(key, bytes, contentType);
        },
      },
    };
  };

  test('leaves no bytes of a picture that another replica stored and then removed', async () => {
    const content = await sample('1x1.png');
    const storageKey = newStorageKey();
    let stored = '';
    const slow = slowReplica(async () => {
      stored = (await media.store(content, { storageKey, readerIds: [OWNER] })).name;
      await removeKept(replica.blobs, replica.pictures, stored, 3);
    });
    const picture: NewPicture = { content, storageKey, readerIds: [OWNER], kind: 'message', senderKey: 'user 1' };
    await expect(storePicture(slow, picture)).rejects.toMatchObject({ code: 'unavailable' });
    expect(stored).not.toBe('');
    expect(await objectsOf(stored)).toEqual([]);
  });

  test('leaves no bytes of a voice stored after its record was abandoned', async () => {
    const altered = { bytes: Buffer.from('sound'), contentType: 'audio/mp4' as const, duration: 1, peaks: [1] };
    const slow = {
      ...slowReplica(() => sweep(replica, new Date(Date.now() + HOUR_MS))),
      voiceChanger: { change: () => Promise.resolve(altered) },
    };
    const before = await media.listObjects();
    const file = await replica.recordings.files.create();
    const recording = { file, head: Buffer.alloc(0), digest: newStorageKey() };
    await expect(
      previewVoice(slow, { recording, voiceType: 'male', maker: { userId: OWNER }, senderKey: 'user 1' }),
    ).rejects.toMatchObject({ code: 'unavailable' });
    await file.close();
    expect(await media.listObjects()).toEqual(before);
  });

  test('leaves no part of an archive removed while the part arrived', async () => {
    const archive = { name: newStorageKey(), ownerId: OWNER, expiresAt: new Date(Date.now() + HOUR_MS) };
    const slow = slowReplica(() => removeArchive(replica, archive.name));
    await storeArchivePart(slow, archive, 0, Buffer.from('sealed'));
    const partsOf = async () => (await media.listObjects()).filter((key) => key.includes(archive.name));
    expect(await partsOf()).toHaveLength(1);
    await sweep(replica, new Date(Date.now() + 2 * HOUR_MS));
    expect(await partsOf()).toEqual([]);
  });

  test('an expired archive is not readable before it is removed', async () => {
    const store = async (expiresAt: Date) => {
      const archive = { name: newStorageKey(), ownerId: OWNER, expiresAt };
      await storeArchivePart(replica, archive, 0, Buffer.from('sealed'));
      return readArchivePart(replica, archive.name, 0);
    };
    expect(await store(new Date(Date.now() + HOUR_MS))).toEqual(Buffer.from('sealed'));
    expect(await store(new Date())).toBeNull();
  });

  test('the same picture gets different names under different keys', async () => {
    const content = await sample('1x1.png');
    const names = await Promise.all([1, 2, 3].map(async () => (await media.store(content)).name));
    expect(new Set(names).size).toBe(3);
  });

  test('stores forty pictures of forty senders at once, or refuses with retryAfter', async () => {
    const content = await sample('1x1.png');
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => media.store(content)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) });
    }
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(34);
  });
});

describe('events', () => {
  test('events publish and unpublish a picture', async () => {
    await media.deliver(updated(true, 2));
    expect(await statusFor()).toBe(200);
    await media.deliver(updated(false, 3));
    expect(await statusFor()).toBe(404);
  });

  test('late events do not change a picture', async () => {
    await media.deliver(updated(false, 5));
    await media.deliver(updated(true, 4));
    expect(await statusFor()).toBe(404);
    await media.deliver({
      $case: 'messageCreated',
      value: { message: messageState({ imageName: name, isPublic: false, revision: 1 }) },
    });
    expect(await statusFor(OWNER)).toBe(200);
  });

  // Threat model: rabbitmq-6.
  test('repeated events are applied once', async () => {
    await media.deliver(updated(true, 2), updated(true, 2));
    await media.deliver(updated(false, 3));
    await media.deliver(updated(true, 2));
    expect(await statusFor()).toBe(404);
  });

  // Threat model: rabbitmq-6.
  test('an event removes a picture for good, and later ones do not restore it', async () => {
    await media.deliver(updated(true, 2));
    await media.deliver(deleted(3));
    expect(await statusFor(OWNER)).toBe(404);
    expect(await objectsOf(name)).toEqual([]);
    await media.deliver(deleted(3), updated(true, 2), updated(true, 9));
    expect(await statusFor(OWNER)).toBe(404);
  });

  test('an event removes a picture in all its forms', async () => {
    ({ name } = await media.store(await sample('photo-rotated.jpg'), { readerIds: [OWNER] }));
    expect(await objectsOf(name)).toHaveLength(3);
    await media.deliver(deleted(3));
    expect(await objectsOf(name)).toEqual([]);
    for (const accept of ['*/*', 'image/jpeg']) {
      expect(
        (await media.fetchImage(name, { identity: { userId: OWNER }, size: 'small', headers: { accept } })).status,
      ).toBe(404);
    }
  });

  test('the avatar of a deleted account is removed', async () => {
    const kind = ImageKind.IMAGE_KIND_AVATAR;
    const { name: avatarName } = await media.store(await sample('1x1.png'), { kind });
    const value = { userId: OWNER, username: 'noura', avatarName, removedAvatarName: '' };
    await media.deliver({ $case: 'userUpdated', value });
    expect((await media.fetchImage(avatarName)).status).toBe(200);
    await media.deliver({ $case: 'accountDeleted', value: { userId: OWNER, avatarName } });
    expect((await media.fetchImage(avatarName)).status).toBe(404);
    expect(await objectsOf(avatarName)).toEqual([]);
  });

  test('events without a picture or with an unknown one are ignored', async () => {
    await media.deliver(
      { $case: 'messageUpdated', value: { message: messageState({ revision: 2 }) } },
      { $case: 'messageDeleted', value: { messageId: 1, userId: OWNER, revision: 3, imageName: '', audioName: '' } },
      {
        $case: 'messageDeleted',
        value: { messageId: 1, userId: OWNER, revision: 3, imageName: 'gone', audioName: 'gone' },
      },
    );
    expect(await statusFor(OWNER)).toBe(200);
  });
});

describe('the sweep', () => {
  const sweepIn = (ms: number) => sweepUnclaimed(replica, new Date(Date.now() + ms));

  test('the sweep keeps a picture whose event is parked until its owner disowns it', async () => {
    for (let hours = 25; hours <= 73; hours += 2)
      await sweep(longConnected(replica), new Date(Date.now() + hours * HOUR_MS));
    expect(await statusFor(OWNER)).toBe(200);
    await media.deliver({
      $case: 'filesAnswered',
      value: { claims: [{ name, isPublic: true, isReported: false, revision: 4 }], released: [] },
    });
    expect(await statusFor(undefined)).toBe(200);
    await sweepIn(365 * DAY_MS);
    expect(await statusFor(undefined)).toBe(200);
  });

  test('the sweep keeps a picture stored again after its owner was asked', async () => {
    const storageKey = newStorageKey();
    const stored = await media.store(await sample('1x1.png'), { storageKey, readerIds: [OWNER] });
    const asked: Event[] = [];
    await sweep(longConnected(replica, asked), new Date(Date.now() + 25 * HOUR_MS));
    const messageFiles = expect.arrayContaining([stored.name]);
    expect(asked).toMatchObject([{ payload: { $case: 'filesUnclaimed', value: { messageFiles } } }]);
    await media.store(await sample('1x1.png'), { storageKey, readerIds: [OWNER] });
    await media.deliver({ $case: 'filesAnswered', value: { claims: [], released: [stored.name] } });
    expect((await media.fetchImage(stored.name, { identity: { userId: OWNER } })).status).toBe(200);
  });

  // Threat model: minio-5.
  test('the sweep removes a picture that no message claimed within a day', async () => {
    await sweepIn(23 * HOUR_MS);
    expect(await statusFor(OWNER)).toBe(200);
    await sweepIn(25 * HOUR_MS);
    expect(await statusFor(OWNER)).toBe(404);
    expect(await objectsOf(name)).toEqual([]);
  });

  test('the sweep keeps a picture that a message has claimed', async () => {
    await media.deliver({
      $case: 'messageCreated',
      value: { message: messageState({ imageName: name }) },
    });
    await sweepIn(365 * DAY_MS);
    expect(await statusFor(OWNER)).toBe(200);
  });

  test("the sweep removes an assistant's picture that no question read within a day", async () => {
    const kind = ImageKind.IMAGE_KIND_CHAT;
    const content = await sample('1x1.png');
    const [unread, read] = [await media.store(content, { kind }), await media.store(content, { kind })];
    const client = createGrpcClient(MediaServiceClient, media.bed.grpc('media'), media.bed.callerOf('chatbot'));
    await unary(client.getImage.bind(client))({ name: read.name });
    client.close();
    await sweepIn(23 * HOUR_MS);
    expect(await objectsOf(unread.name)).toEqual(formsOf(unread.name));
    await sweepIn(25 * HOUR_MS);
    expect(await objectsOf(unread.name)).toEqual([]);
    expect(await objectsOf(read.name)).toEqual(formsOf(read.name));
  });

  test('the sweep abandons nothing while the broker is unreachable', async () => {
    const publish = () => Promise.reject(new Error('There is no broker.'));
    await sweep({ ...replica, bus: { isConnected: () => false, publish } }, new Date(Date.now() + 30 * DAY_MS));
    expect(await statusFor(OWNER)).toBe(200);
  });

  test('the sweep abandons nothing right after the broker is back, while events still arrive', async () => {
    expect(replica.bus.isConnected()).toBe(true);
    await sweep(replica, new Date(Date.now() + 30 * DAY_MS));
    expect(await statusFor(OWNER)).toBe(200);
  });

  test('the sweep frees the key of a removed picture', async () => {
    const storageKey = newStorageKey();
    const first = await media.store(await sample('1x1.png'), { storageKey, readerIds: [OWNER] });
    await sweepIn(25 * HOUR_MS);
    const second = await media.store(await sample('1x1.png'), { storageKey, readerIds: [OWNER] });
    expect(second.name).not.toBe(first.name);
    expect((await media.fetchImage(second.name, { identity: { userId: OWNER } })).status).toBe(200);
  });

  test('the sweep finishes an interrupted removal', async () => {
    await replica.pictures.beginRemoval(name, 3, new Date());
    expect(await media.listObjects()).toContain(name);
    await sweepIn(0);
    expect(await objectsOf(name)).toEqual([]);
  });

  const reserve = async (reserved: string, storageKey: string) =>
    replica.pictures.reserve(
      { name: reserved, storageKey, kind: 'message', ...(await replica.readers.of(reserved, [OWNER])) },
      new Date(),
    );

  // Threat model: minio-5.
  test('the sweep removes the leftovers of a process that died while storing', async () => {
    const reserved = await reserve(`${name.slice(0, -4)}left`, newStorageKey());
    for (const key of formsOf(reserved.name)) await replica.blobs.put(key, Buffer.from('half a picture'), 'image/webp');
    expect((await media.fetchImage(reserved.name, { identity: { userId: OWNER } })).status).toBe(404);
    await sweepIn(25 * HOUR_MS);
    expect(await objectsOf(reserved.name)).toEqual([]);
  });

  test('the sweep removes any number of expired files at once', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `${name.slice(0, -3)}${index}`);
    const anHourAgo = new Date(Date.now() - HOUR_MS);
    for (const preview of names)
      await replica.sounds.reserve(
        { name: preview, storageKey: newStorageKey(), kind: 'preview', readerTags: [] },
        anHourAgo,
      );
    await sweepIn(0);
    const left = replica.database.connection.collection('sounds').countDocuments({ name: { $in: names } });
    expect(await left).toBe(0);
  });

  test('a retry before the sweep stores the picture under the reserved name', async () => {
    const storageKey = newStorageKey();
    const reserved = await reserve(`${name.slice(0, -4)}took`, storageKey);
    const stored = await media.store(await sample('1x1.png'), { storageKey, readerIds: [OWNER] });
    expect(stored).toMatchObject({ name: reserved.name, width: 1, height: 1 });
    expect((await media.fetchImage(stored.name, { identity: { userId: OWNER } })).status).toBe(200);
  });

  test('the sweep removes a tombstone after a week, and late events still have no effect', async () => {
    await media.deliver(deleted(3));
    await sweepIn(8 * DAY_MS);
    await media.deliver(updated(true, 9));
    expect(await statusFor(OWNER)).toBe(404);
  });
});
