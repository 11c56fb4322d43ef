import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { dataUrl, readSample, type CallerIdentity } from '@najwa/dev-env';
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
  report,
  row,
  send,
  sender,
  undo,
  useReportBed,
} from '../support/reports.js';

useReportBed();

describe('a report', () => {
  test('comes from the recipient, and nobody else may report a private message', async () => {
    const { id } = await send();
    for (const other of [sender.identity, newVisitor(), administrator])
      expect(await as(other, 'POST', '/api/reports', { messageId: id, reason: 'spam' })).toMatchObject({
        status: 404,
        body: { code: 'message_not_found' },
      });
    await report(id);
  });

  test('comes from anybody about a public message, once for each account and each network of visitors', async () => {
    const { id } = await send();
    await publish(id);
    const visitor = newVisitor();
    const first = await report(id, visitor);
    expect(await report(id, { ...visitor, visitorId: randomUUID() }, 'spam')).toBe(first);
    const second = await report(id, sender.identity, 'spam');
    expect(await report(id, sender.identity)).toBe(second);
    expect(await row(first)).toMatchObject({
      reports: 2,
      reasonCounts: { threat: 1, spam: 1 },
      message: { content: 'رسالة مؤذية', isPublic: true },
    });
  });

  test('refuses what is not valid, naming the field', async () => {
    const { id: messageId } = await send();
    for (const [body, fields] of [
      [{ messageId, reason: 'boring' }, { reason: 'not_a_choice' }],
      [{ messageId, reason: 'spam', comment: 'ن'.repeat(301) }, { comment: 'too_long' }],
      [{ reason: 'spam' }, { messageId: 'required' }],
    ] as const)
      expect(await as(owner.identity, 'POST', '/api/reports', body)).toMatchObject({ status: 422, body: { fields } });
  });

  test('keeps the message that its recipient deletes, who sees nothing of it', async () => {
    const { id } = await send();
    const reported = await report(id);
    expect((await as(owner.identity, 'DELETE', `/api/messages/${id}`)).status).toBe(204);
    expect(await idsIn('/api/messages')).toEqual([]);
    expect((await as(owner.identity, 'GET', `/api/replies/${id}`)).status).toBe(404);
    expect(await row(reported)).toMatchObject({ message: { content: 'رسالة مؤذية' } });
    expect(await report(id)).toBe(reported);
  });

  test('keeps the picture for moderators alone', async () => {
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

  test('and a deletion at once leave evidence, or no report', async () => {
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

  test('tells its outcome to the account that made it, and to no other', async () => {
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
