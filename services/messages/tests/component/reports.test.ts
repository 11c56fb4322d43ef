import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { dataUrl, readSample, type CallerIdentity } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { sweepReports } from '../../src/moderation/decisions.js';
import { reportMessage } from '../../src/moderation/reports.js';
import { openReplica, replacing } from '../support/replica.js';
import {
  act,
  administrator,
  as,
  bed,
  idOf,
  idsIn,
  moderator,
  newVisitor,
  owner,
  ownReports,
  publish,
  queue,
  report,
  row,
  send,
  sender,
  undo,
  useReportBed,
} from '../support/reports.js';

useReportBed();

const MINUTE_MS = 60_000;

describe('a report whose process dies once the message is marked', () => {
  let replica: MessagesContext;
  let sent: Awaited<ReturnType<typeof bed.sendMessage>>;

  beforeEach(async () => {
    replica = await openReplica(bed);
    const imageUrl = dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');
    sent = await bed.sendMessage(owner.id, { imageUrl }, { identity: sender.identity });
    const add = () => Promise.reject(new Error('The process died.'));
    const dying = { ...replica, reports: replacing(replica.reports, { add }) };
    const reporter = { user: { id: owner.id, isAdmin: false, sessionId: '' }, visitorId: '', ip: '' };
    await expect(
      reportMessage(dying, reporter, { messageId: sent.id, reason: 'threat', comment: '' }),
    ).rejects.toThrow();
    await seenBy(moderator, 200);
  });

  afterEach(() => replica.database.close());

  const seenBy = (identity: CallerIdentity, expected: number): Promise<void> =>
    bed.eventually(async () => {
      const { status } = await bed.call('media', 'GET', `/api${sent.imageUrl}`, { identity });
      expect(status).toBe(expected);
    });

  const sweep = async (minutes: number): Promise<void> => {
    await sweepReports(replica, new Date(Date.now() + minutes * MINUTE_MS));
  };

  test('an orphaned mark of a report is removed, and the message can be reported again', async () => {
    expect((await queue()).map(({ message }) => (message as { imageUrl: unknown }).imageUrl)).not.toContain(
      sent.imageUrl,
    );
    await sweep(11);
    await seenBy(moderator, 404);
    await seenBy(owner.identity, 200);
    const reported = await report(sent.id);
    expect(await row(reported)).toMatchObject({ reports: 1, message: { imageUrl: sent.imageUrl } });
    await sweep(11);
    await seenBy(moderator, 200);
  });

  test('an orphaned report keeps no picture of a message deleted meanwhile', async () => {
    await as(owner.identity, 'DELETE', `/api/messages/${sent.id}`);
    await seenBy(owner.identity, 404);
    await sweep(9);
    await seenBy(moderator, 200);
    await sweep(11);
    await seenBy(moderator, 404);
    expect(await replica.reports.findBefore('draft', new Date(Date.now() + MINUTE_MS), 10)).toEqual([]);
  });

  test('an orphaned report gives way to one made before the sweep', async () => {
    const reported = await report(sent.id);
    expect(await row(reported)).toMatchObject({ reports: 1, message: { imageUrl: sent.imageUrl } });
    await sweep(11);
    await seenBy(moderator, 200);
    expect(await row(reported)).toMatchObject({ reports: 1 });
  });
});

describe('a report', () => {
  test('only its recipient may report a private message', async () => {
    const { id } = await send();
    for (const other of [sender.identity, newVisitor(), administrator])
      expect(await as(other, 'POST', '/api/reports', { messageId: id, reason: 'spam' })).toMatchObject({
        status: 404,
        body: { code: 'message_not_found' },
      });
    await report(id);
  });

  test('a public message may be reported by anyone, once per account and network of visitors', async () => {
    const { id } = await send();
    await publish(id);
    const visitor = newVisitor();
    const first = await report(id, sender.identity, 'spam');
    expect(await report(id, sender.identity)).toBe(first);
    // Nor does a visitor learn that one of the same network has reported it.
    const answers = [await report(id, visitor), await report(id, { ...visitor, visitorId: randomUUID() }, 'spam')];
    expect(new Set(answers).size).toBe(2);
    expect(await row(first)).toMatchObject({
      reports: 2,
      reasonCounts: { threat: 1, spam: 1 },
      message: { content: 'رسالة مؤذية', isPublic: true },
    });
  });

  test('refuses an invalid report, naming the field', async () => {
    const { id: messageId } = await send();
    for (const [body, fields] of [
      [{ messageId, reason: 'boring' }, { reason: 'not_a_choice' }],
      [{ messageId, reason: 'spam', comment: 'ن'.repeat(301) }, { comment: 'too_long' }],
      [{ reason: 'spam' }, { messageId: 'required' }],
    ] as const)
      expect(await as(owner.identity, 'POST', '/api/reports', body)).toMatchObject({ status: 422, body: { fields } });
  });

  test('a reported message is kept when its recipient deletes it, unnoticed by the recipient', async () => {
    const { id } = await send();
    const reported = await report(id);
    expect((await as(owner.identity, 'DELETE', `/api/messages/${id}`)).status).toBe(204);
    expect(await idsIn('/api/messages')).toEqual([]);
    expect((await as(owner.identity, 'GET', `/api/replies/${id}`)).status).toBe(404);
    expect(await row(reported)).toMatchObject({ message: { content: 'رسالة مؤذية' } });
    expect(await report(id)).toBe(reported);
  });

  // Threat model: moderator-3.
  test('a reported picture is kept for moderators alone', async () => {
    const imageUrl = dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');
    const sent = await bed.sendMessage(owner.id, { imageUrl }, { identity: sender.identity });
    const reader = { ...owner.identity };
    const picture = (identity: CallerIdentity) =>
      bed.call('media', 'GET', `/api${sent.imageUrl}`, { identity }).then(({ status }) => status);
    expect(await picture(moderator)).toBe(404);
    const reported = await report(sent.id);
    await as(reader, 'DELETE', `/api/messages/${sent.id}`);
    await bed.eventually(async () =>
      expect([await picture(reader), await picture(sender.identity), await picture(moderator)]).toEqual([
        404, 404, 200,
      ]),
    );
    expect(await row(reported)).toMatchObject({ message: { imageUrl: sent.imageUrl } });
  });

  test('a report concurrent with a deletion leaves evidence, or no report', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await send(newVisitor());
      const [reported, deleted] = await Promise.all([
        as(owner.identity, 'POST', '/api/reports', { messageId: id, reason: 'threat' }),
        as(owner.identity, 'DELETE', `/api/messages/${id}`),
      ]);
      expect(deleted.status).toBe(204);
      if (reported.status === 201)
        expect(await row(idOf(reported))).toMatchObject({ message: { content: 'رسالة مؤذية' } });
      else expect(reported.status).toBe(404);
    }
  });

  test('a message reported very often stays small enough to list and decide', async () => {
    const { id } = await send();
    await publish(id);
    const reported = await report(id);
    // As long as a comment can be: each character has eleven code units.
    const comment = '👨‍👩‍👧‍👦'.repeat(300);
    const add = (by = newVisitor()) => as(by, 'POST', '/api/reports', { messageId: id, reason: 'spam', comment });
    for (let count = 0; count < 8; count += 1) expect(await add()).toMatchObject({ status: 201 });
    const found = await row(reported);
    expect(found).toMatchObject({ reports: 9, reasonCounts: { threat: 1, spam: 8 } });
    expect(String(found?.['comments']).length).toBeLessThanOrEqual(20_010);

    const context = await openReplica(bed);
    const entries = Array.from({ length: 1_000 }, (_, index) => ({
      id: 2_000_000 + index,
      reporter: `network ${index}`,
      reporterId: null,
      reason: 'spam',
      comment: '',
      at: new Date(),
      decidedBy: null,
    }));
    await context.reports.collection.updateOne({ id: reported }, { $set: { entries } });
    await context.database.close();
    expect(await add()).toMatchObject({ status: 201, body: { status: 'open' } });
    expect(await row(reported)).toMatchObject({ reports: 1_000 });
    expect(await act(reported, 'dismiss', moderator)).toMatchObject({ status: 201 });
  });

  // Threat model: visitor-7.
  test('the outcome of a report is shown to its account alone', async () => {
    const { id } = await send();
    const reported = await report(id);
    const shown = { id: reported, messageId: id, reason: 'threat' };
    expect(await ownReports()).toEqual([expect.objectContaining({ ...shown, status: 'open', outcome: null })]);
    const removed = await act(reported, 'remove', moderator);
    expect(await ownReports()).toEqual([expect.objectContaining({ ...shown, status: 'closed', outcome: 'removed' })]);
    expect((await undo(idOf(removed))).status).toBe(201);
    expect(await ownReports()).toEqual([expect.objectContaining({ ...shown, status: 'open', outcome: null })]);
    expect(await ownReports(sender)).toEqual([]);
  });
});
