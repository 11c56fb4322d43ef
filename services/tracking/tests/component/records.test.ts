import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEvent } from '@najwa/common';
import { startTestBed, type TestBed } from '@najwa/dev-env';
import type { MessageState, SenderTrace } from '@najwa/proto/events';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['tracking'] });
});

afterAll(() => bed.stop());

const sender: SenderTrace = { ipAddress: '192.0.2.4', userAgent: 'Example/1.0', referrer: 'https://example.test/', language: 'ar' };

let lastId = 0;
function newMessage(): MessageState {
  lastId += 1;
  return { id: lastId, userId: 5, content: 'نص', isRead: false, isPublic: false, imageName: '', createdAt: new Date(), revision: 1 };
}

const created = (message: MessageState) => createEvent(randomUUID(), { $case: 'messageCreated', value: { message, sender } });
const updated = (message: MessageState, changes: Partial<MessageState>) => createEvent(randomUUID(), { $case: 'messageUpdated', value: { message: { ...message, ...changes } } });
const deleted = ({ id, userId }: MessageState, revision: number) => createEvent(randomUUID(), { $case: 'messageDeleted', value: { messageId: id, userId, revision, imageName: '' } });

const recordOf = async ({ id }: MessageState) => (await bed.listTracking()).filter(({ messageId }) => messageId === id);

/** A last event of another message: once its record stands there, what was published before it has been handled. */
async function settle(): Promise<void> {
  const marker = newMessage();
  await bed.publish([created(marker)]);
  await bed.eventually(async () => expect(await recordOf(marker)).toHaveLength(1));
}

describe('a record', () => {
  test('comes of a message that was created, with where it came from', async () => {
    const message = newMessage();
    await bed.publish([created(message)]);
    await bed.eventually(async () =>
      expect(await recordOf(message)).toMatchObject([{ ...sender, messageId: message.id, message: { content: 'نص', isRead: false, isPublic: false, userId: 5 } }]),
    );
  });

  test('is one, however often the event arrives', async () => {
    const message = newMessage();
    const event = created(message);
    await bed.publish([event, event, event]);
    await settle();
    expect(await recordOf(message)).toHaveLength(1);
  });

  test('follows the message, and never goes back to an older state', async () => {
    const message = newMessage();
    await bed.publish([created(message), updated(message, { revision: 3, isRead: true, isPublic: true }), updated(message, { revision: 2, isRead: true })]);
    await bed.eventually(async () => expect(await recordOf(message)).toMatchObject([{ message: { isRead: true, isPublic: true } }]));
    await settle();
    expect(await recordOf(message)).toMatchObject([{ message: { isRead: true, isPublic: true } }]);
  });

  test('is whole when the change arrives before the creation', async () => {
    const message = newMessage();
    await bed.publish([updated(message, { revision: 2, isRead: true })]);
    await settle();
    expect(await recordOf(message)).toEqual([]);
    await bed.publish([created(message)]);
    await bed.eventually(async () => expect(await recordOf(message)).toMatchObject([{ ...sender, message: { isRead: true } }]));
  });

  test('goes with the message, and a late event does not bring it back', async () => {
    const message = newMessage();
    await bed.publish([created(message)]);
    await bed.eventually(async () => expect(await recordOf(message)).toHaveLength(1));
    await bed.publish([deleted(message, 2)]);
    await bed.eventually(async () => expect(await recordOf(message)).toEqual([]));
    await bed.publish([created(message), updated(message, { revision: 2 })]);
    await settle();
    expect(await recordOf(message)).toEqual([]);
  });

  test('is never made when the deletion arrives first', async () => {
    const message = newMessage();
    await bed.publish([deleted(message, 2)]);
    await settle();
    await bed.publish([created(message)]);
    await settle();
    expect(await recordOf(message)).toEqual([]);
  });
});

test('the list is newest first and pages without gap or repeat', async () => {
  const messages = Array.from({ length: 5 }, newMessage);
  for (const message of messages) {
    await bed.publish([created(message)]);
    await bed.eventually(async () => expect(await recordOf(message)).toHaveLength(1));
  }
  const all = (await bed.listTracking({ limit: 100 })).map(({ id }) => id);
  expect(all).toEqual([...all].sort((a, b) => b - a));
  expect((await bed.listTracking({ limit: 2 })).map(({ id }) => id)).toEqual(all.slice(0, 2));
});
