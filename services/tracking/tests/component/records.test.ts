import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountDeleted, deleted, sender, shareTrackingBed, updated, type TrackingBed } from './tracking-bed.js';

let tracking: TrackingBed;

beforeAll(async () => {
  tracking = await shareTrackingBed();
});

afterAll(() => tracking.stop());

describe('a record', () => {
  test('a record is created with a message and its origin', async () => {
    const message = tracking.newMessage();
    await tracking.publish(tracking.created(message));
    await tracking.bed.eventually(async () =>
      expect(await tracking.recordOf(message)).toMatchObject([
        { ...sender, messageId: message.id, message: { content: 'نص', isRead: false, isPublic: false, userId: 5 } },
      ]),
    );
  });

  test('a record is created once, however often the event arrives', async () => {
    const message = tracking.newMessage();
    const event = await tracking.created(message);
    await tracking.publish(event, event, event);
    await tracking.bed.eventually(async () => expect(await tracking.recordOf(message)).toHaveLength(1));
    await tracking.settle();
    expect(await tracking.recordOf(message)).toHaveLength(1);
  });

  test('a record follows the message and never returns to an older state', async () => {
    const message = tracking.newMessage();
    await tracking.publish(
      tracking.created(message),
      updated(message, { revision: 3, isRead: true, isPublic: true }),
      updated(message, { revision: 2, isRead: true }),
    );
    await tracking.bed.eventually(async () =>
      expect(await tracking.recordOf(message)).toMatchObject([{ message: { isRead: true, isPublic: true } }]),
    );
    await tracking.settle();
    expect(await tracking.recordOf(message)).toMatchObject([{ message: { isRead: true, isPublic: true } }]);
  });

  test('a record is complete when the change arrives before the creation', async () => {
    const message = tracking.newMessage();
    await tracking.publish(updated(message, { revision: 2, isRead: true }));
    await tracking.settle();
    expect(await tracking.recordOf(message)).toEqual([]);
    await tracking.publish(tracking.created(message));
    await tracking.bed.eventually(async () =>
      expect(await tracking.recordOf(message)).toMatchObject([{ ...sender, message: { isRead: true } }]),
    );
  });

  test('a record follows its message among many that change at once, of which some are new, changed before or gone', async () => {
    const messages = Array.from({ length: 12 }, (_, index) => tracking.newMessage({ content: `${index % 4}` }));
    const ofKind = (kind: number) => messages.filter(({ content }) => content === String(kind));
    const [plain, early, late, gone] = [ofKind(0), ofKind(1), ofKind(2), ofKind(3)];
    await tracking.track([...plain, ...late, ...gone]);
    await tracking.publish(
      ...late.map((message) => updated(message, { revision: 4, isRead: true, isPublic: true })),
      ...gone.map((message) => deleted(message, 2)),
    );
    await tracking.settle();
    await tracking.publish(
      ...messages.map((message) => updated(message, { revision: 3, isRead: true })),
      ...messages.map((message) => updated(message, { revision: 2 })),
      ...early.map((message) => tracking.created(message)),
    );
    await tracking.bed.eventually(async () => {
      for (const message of [...plain, ...early])
        expect(await tracking.recordOf(message)).toMatchObject([{ ...sender, message: { isRead: true } }]);
    });
    await tracking.settle();
    // A delivery that failed once comes a second later than the others.
    await tracking.bed.eventually(async () => {
      for (const message of late)
        expect(await tracking.recordOf(message)).toMatchObject([{ message: { isPublic: true } }]);
      for (const message of gone) expect(await tracking.recordOf(message)).toEqual([]);
    });
  });

  test('a record is removed with the message, and a late event does not restore it', async () => {
    const message = tracking.newMessage();
    await tracking.publish(tracking.created(message));
    await tracking.bed.eventually(async () => expect(await tracking.recordOf(message)).toHaveLength(1));
    await tracking.publish(deleted(message, 2));
    await tracking.bed.eventually(async () => expect(await tracking.recordOf(message)).toEqual([]));
    await tracking.publish(tracking.created(message), updated(message, { revision: 2 }));
    await tracking.settle();
    expect(await tracking.recordOf(message)).toEqual([]);
  });

  test('a record is not created when the deletion arrives first', async () => {
    const message = tracking.newMessage();
    await tracking.publish(deleted(message, 2));
    await tracking.settle();
    await tracking.publish(tracking.created(message));
    await tracking.settle();
    expect(await tracking.recordOf(message)).toEqual([]);
  });
});

describe('a message with the id of an earlier one', () => {
  const HOUR_MS = 60 * 60 * 1000;
  const pairOf = () => {
    const later = tracking.newMessage({ content: 'later' });
    const earlier = { ...later, content: 'earlier', userId: 6, createdAt: new Date(Date.now() - HOUR_MS) };
    return { earlier, later };
  };
  const origins = { earlier: { ipAddress: '192.0.2.1' }, later: { ipAddress: '192.0.2.2' } };

  test('a message with the id of an earlier one has its own trace, and nothing of the earlier one', async () => {
    const { earlier, later } = pairOf();
    await tracking.track([earlier], origins.earlier);
    await tracking.publish(tracking.created(later, origins.later));
    await tracking.bed.eventually(async () =>
      expect(await tracking.recordOf(later)).toMatchObject([
        { ...origins.later, message: { content: 'later', userId: 5 } },
      ]),
    );
  });

  // Threat model: backup-4.
  test('a message with the id of an earlier one is not changed by late events of the earlier one', async () => {
    const { earlier, later } = pairOf();
    await tracking.track([later], origins.later);
    await tracking.publish(
      tracking.created(earlier, origins.earlier),
      updated(earlier, { revision: 9, isPublic: true }),
      deleted(earlier, 10),
      accountDeleted(later.userId, earlier.createdAt),
    );
    await tracking.settle();
    expect(await tracking.recordOf(later)).toMatchObject([
      { ...origins.later, message: { content: 'later', isPublic: false } },
    ]);
  });

  test('never shows the trace of the earlier one, when its change comes before its creation', async () => {
    const { earlier, later } = pairOf();
    await tracking.track([earlier], origins.earlier);
    await tracking.publish(updated(later, { revision: 2, isRead: true }));
    await tracking.bed.eventually(async () => expect(await tracking.recordOf(later)).toEqual([]));
    await tracking.publish(tracking.created(later, origins.later));
    await tracking.bed.eventually(async () =>
      expect(await tracking.recordOf(later)).toMatchObject([{ ...origins.later, message: { isRead: true } }]),
    );
  });
});

describe('the trace of a sender', () => {
  test('the trace of a sender comes from the headers of the browser', async () => {
    const message = tracking.newMessage();
    await tracking.track([message], {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      language: 'en;q=0.8, ar-EG',
    });
    expect(await tracking.recordOf(message)).toMatchObject([
      {
        browser: 'Safari',
        operatingSystem: 'iOS',
        device: 'mobile',
        language: 'ar-EG',
        location: '',
        additionalData: { acceptedLanguages: ['ar-EG', 'en'] },
      },
    ]);
  });

  test('the trace of a sender is empty without headers', async () => {
    const message = tracking.newMessage();
    await tracking.track([message], { userAgent: '', referrer: '', language: '' });
    const [record] = await tracking.recordOf(message);
    expect(record).toMatchObject({
      browser: '',
      operatingSystem: '',
      device: '',
      language: '',
      referrer: '',
      userAgent: '',
    });
    expect(record).not.toHaveProperty('additionalData.acceptedLanguages');
  });
});
