import { describe, expect, test } from '@jest/globals';
import { sweepAside } from '../../src/safety/aside.js';
import { deliverDue, sweepReports } from '../../src/moderation/decisions.js';
import { messageOf } from '../support/answers.js';
import { openReplica } from '../support/replica.js';
import {
  act,
  administrator,
  as,
  bed,
  idOf,
  idsIn,
  moderator,
  newVisitor,
  otherAdministrator,
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

/** Delivers what actions held that were taken back, however long that takes. */
async function deliverAll(days = 1): Promise<void> {
  const context = await openReplica(bed);
  await deliverDue(context, new Date(Date.now() + days * 24 * 60 * 60_000));
  context.deliveries.stop();
  await context.database.close();
}

describe('an action', () => {
  test("a removed message is gone but for its sender's list, and a reversal restores it", async () => {
    const { id } = await send();
    await publish(id);
    await as(owner.identity, 'POST', '/api/replies', { messageId: id, content: 'ردّ' });
    const page = `/api/messages/public/${owner.id}`;
    const before = [await as(owner.identity, 'GET', '/api/messages'), await as(newVisitor(), 'GET', page)];
    const sentBefore = (await as(sender.identity, 'GET', '/api/messages/sent')).body;
    const removed = await act(await report(id), 'remove', moderator);
    expect(removed).toMatchObject({ status: 201, body: { action: 'remove', days: null, undone: null } });
    expect([await idsIn('/api/messages'), await idsIn(page), await idsIn('/api/messages?folder=aside')]).toEqual([
      [],
      [],
      [],
    ]);
    for (const [method, path, body] of [
      ['PATCH', `/api/messages/${id}`, { isPublic: true }],
      ['DELETE', `/api/messages/${id}`, undefined],
      ['POST', `/api/messages/${id}/restore`, undefined],
      ['POST', '/api/blocks', { messageId: id }],
      ['GET', `/api/replies/${id}`, undefined],
    ] as const)
      expect((await as(owner.identity, method, path, body)).status).toBe(404);
    expect((await as(owner.identity, 'GET', '/api/messages/stats')).body).toMatchObject({ received: 0 });
    expect((await as(sender.identity, 'GET', '/api/messages/sent')).body).toEqual(sentBefore);
    expect(await undo(idOf(removed))).toMatchObject({ status: 201, body: { undone: { reason: 'كان مزاحًا' } } });
    const after = [await as(owner.identity, 'GET', '/api/messages'), await as(newVisitor(), 'GET', page)];
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });

  test("a warning shows in the sender's list of sent messages", async () => {
    const { id } = await send();
    const warned = await act(await report(id), 'warn', moderator);
    const sent = async () => (await as(sender.identity, 'GET', '/api/messages/sent')).body;
    expect(await sent()).toEqual([expect.objectContaining({ id, warnedAt: expect.any(String) })]);
    expect(await ownReports()).toEqual([expect.objectContaining({ outcome: 'acted' })]);
    expect(await idsIn('/api/messages')).toEqual([id]);
    await undo(idOf(warned));
    expect(await sent()).toEqual([expect.objectContaining({ id, warnedAt: null })]);
  });

  // Threat model: owner-20, sender-6.
  test('a suspended account notices nothing and can still read and reply', async () => {
    const { id } = await send();
    const suspended = await act(await report(id), 'suspend', administrator, { days: 3 });
    expect(suspended).toMatchObject({ status: 201, body: { action: 'suspend', days: 3 } });
    const other = await bed.newAccount();
    const answer = await as(sender.identity, 'POST', '/api/messages', { userId: other.id, content: 'مرة أخرى' });
    const free = await as(newVisitor(), 'POST', '/api/messages', { userId: other.id, content: 'مرة أخرى' });
    expect(answer.status).toBe(201);
    const ofMessage = { id: 0, ornament: '', createdAt: '' };
    expect({ ...messageOf(answer), ...ofMessage }).toEqual({ ...messageOf(free), ...ofMessage });
    expect(idOf(free)).toBe(idOf(answer) + 1);
    expect([...answer.headers.keys()]).toEqual([...free.headers.keys()]);
    expect(await idsIn('/api/messages', other)).toEqual([idOf(free)]);
    expect(await idsIn('/api/messages?folder=aside', other)).toEqual([]);
    expect((await as(other.identity, 'GET', '/api/messages/stats')).body).toMatchObject({ received: 1 });
    expect(await idsIn('/api/messages/sent', sender)).toContain(idOf(answer));
    const own = await as(sender.identity, 'POST', '/api/messages', { userId: sender.id, content: 'تجربة' });
    expect(await idsIn('/api/messages', sender)).toEqual([idOf(own)]);
    const { id: received } = await send(newVisitor(), sender.id);
    expect((await as(sender.identity, 'POST', '/api/replies', { messageId: received, content: 'ردّ' })).status).toBe(
      201,
    );
    // The visitor who uses the same browser without the account is not suspended.
    const asVisitor = await send({ visitorId: sender.identity.visitorId ?? '' }, other.id);
    expect(await idsIn('/api/messages', other)).toContain(asVisitor.id);
    expect((await undo(idOf(suspended))).status).toBe(201);
    await deliverAll();
    expect(await idsIn('/api/messages', other)).toHaveLength(3);
  });

  // Threat model: sender-6.
  test("a blocked visitor is held everywhere, also signed in, and the recipient's decisions stay", async () => {
    const visitor = newVisitor();
    const blocked = await act(await report((await send(visitor)).id), 'block');
    expect(blocked).toMatchObject({ status: 201, body: { days: 1 } });
    const other = await bed.newAccount();
    await as(other.identity, 'PUT', '/api/filters', { words: ['سرّي'], lists: [] });
    await send(visitor, other.id);
    await send(visitor, other.id, 'شيء سرّي');
    await send({ ...sender.identity, ...visitor }, other.id);
    expect(await idsIn('/api/messages', other)).toEqual([]);
    expect(await idsIn('/api/messages?folder=aside', other)).toEqual([]);
    await undo(idOf(blocked));
    await deliverAll();
    expect(await idsIn('/api/messages', other)).toHaveLength(2);
    expect((await as(other.identity, 'GET', '/api/messages?folder=aside')).body).toMatchObject([
      { content: 'شيء سرّي' },
    ]);
  });

  test('messages held by two actions are delivered when both are reversed', async () => {
    const reported = await report((await send()).id);
    const suspended = idOf(await act(reported, 'suspend'));
    const other = await bed.newAccount();
    await send(sender.identity, other.id);
    const blocked = idOf(await act(reported, 'block'));
    await undo(suspended);
    await deliverAll();
    expect(await idsIn('/api/messages', other)).toEqual([]);
    await undo(blocked);
    await deliverAll();
    expect(await idsIn('/api/messages', other)).toHaveLength(1);
  });

  // Threat model: owner-21.
  test('a reversed suspension delivers what it held by the current blocks and filters', async () => {
    const [blocking, filtering, lifting] = [await bed.newAccount(), await bed.newAccount(), await bed.newAccount()];
    const [first, other] = [await send(sender.identity, blocking.id), await send(sender.identity, lifting.id)];
    const lifted = idOf(await as(lifting.identity, 'POST', '/api/blocks', { messageId: other.id }));
    const suspended = idOf(await act(await report((await send()).id), 'suspend'));
    for (const { id } of [blocking, filtering, lifting]) await send(sender.identity, id, 'شيء سرّي');
    await undo(suspended);
    expect((await as(blocking.identity, 'POST', '/api/blocks', { messageId: first.id })).status).toBe(201);
    await as(filtering.identity, 'PUT', '/api/filters', { words: ['سرّي'], lists: [] });
    expect((await as(lifting.identity, 'DELETE', `/api/blocks/${lifted}`)).status).toBe(204);
    const context = await openReplica(bed);
    const events: [string, number][] = [];
    const note =
      (kind: string) =>
      ({ message }: { message?: { userId: number } | undefined }): void =>
        void events.push([kind, message?.userId ?? 0]);
    context.bus.subscribe(
      { messageSetAside: note('set aside'), messageRestored: note('restored'), messageUpdated: note('updated') },
      () => undefined,
    );
    await context.bus.start();
    await bed.eventually(() => Promise.resolve(expect(context.bus.isReceiving()).toBe(true)));
    await deliverAll();

    expect(await idsIn('/api/messages', blocking)).toEqual([first.id]);
    expect((await as(blocking.identity, 'GET', '/api/messages?folder=aside')).body).toMatchObject([
      { content: 'شيء سرّي', reason: 'blocked' },
    ]);
    expect(await idsIn('/api/messages', filtering)).toEqual([]);
    expect((await as(filtering.identity, 'GET', '/api/messages?folder=aside')).body).toMatchObject([
      { content: 'شيء سرّي', reason: 'filtered', matched: 'سرّي' },
    ]);
    expect(await idsIn('/api/messages', lifting)).toHaveLength(2);
    await bed.eventually(async () =>
      expect((await as(lifting.identity, 'GET', '/api/notifications/count')).body).toEqual({ unread: 2 }),
    );
    expect((await as(filtering.identity, 'GET', '/api/notifications')).body).toEqual([]);
    // Of a message that is written now and set aside there is no other event either.
    const expected = [
      ['set aside', blocking.id],
      ['set aside', filtering.id],
      ['restored', lifting.id],
    ].sort();
    const accounts = [blocking.id, filtering.id, lifting.id];
    await bed.eventually(() =>
      Promise.resolve(expect(events.filter(([, userId]) => accounts.includes(userId)).sort()).toEqual(expected)),
    );
    await context.bus.stop();
    await context.database.close();
  });

  // Threat model: owner-21.
  test('a reversed suspension delivers nothing into an inbox that now refuses its sender', async () => {
    const other = await bed.newAccount();
    const receive = (from: string) => as(other.identity, 'PATCH', '/api/users/receiving', { from });
    const suspended = idOf(await act(await report((await send()).id), 'suspend'));
    await send(sender.identity, other.id);
    expect((await receive('nobody')).status).toBe(200);
    await undo(suspended);
    await deliverAll();
    expect(await idsIn('/api/messages', other)).toEqual([]);
    expect((await receive('accounts')).status).toBe(200);
    await deliverAll(2);
    expect(await idsIn('/api/messages', other)).toHaveLength(1);
  });

  // Threat model: sender-23.
  test('a held message refused by a closed inbox is deleted after thirty days, which its sender sees', async () => {
    const other = await bed.newAccount();
    const receive = (from: string) => as(other.identity, 'PATCH', '/api/users/receiving', { from });
    const suspended = idOf(await act(await report((await send()).id), 'suspend'));
    const taken = await send(sender.identity, other.id);
    const lost = await send(sender.identity, owner.id);
    await receive('nobody');
    await as(owner.identity, 'PATCH', '/api/users/receiving', { from: 'nobody' });
    await undo(suspended);
    const context = await openReplica(bed);
    await sweepAside(context, new Date(Date.now() + 31 * 24 * 60 * 60 * 1000));
    await context.database.close();
    await receive('everyone');
    await deliverAll(31);
    expect(await idsIn('/api/messages', other)).toHaveLength(1);
    expect(await idsIn('/api/messages/sent', sender)).toContain(taken.id);
    expect(await idsIn('/api/messages/sent', sender)).not.toContain(lost.id);
    const behind = await as(newVisitor(), 'GET', `/api/ways-back/${lost.wayBack?.replace('/r/', '')}`);
    expect(behind.status).toBe(404);
    await as(owner.identity, 'PATCH', '/api/users/receiving', { from: 'everyone' });
    await deliverAll(32);
    expect(await idsIn('/api/messages?folder=aside')).toEqual([]);
  });

  // Threat model: owner-21, sender-21.
  test('a reversed suspension delivers messages as new, and their sender sees no difference', async () => {
    const other = await bed.newAccount();
    const suspended = idOf(await act(await report((await send()).id), 'suspend'));
    const held = [];
    for (const content of ['واحد', 'اثنان', 'ثلاثة']) held.push(await send(sender.identity, other.id, content));
    const [first, second] = held as [(typeof held)[0], (typeof held)[0]];
    const later = await send(newVisitor(), other.id, 'بعدها');
    const sent = async () => (await as(sender.identity, 'GET', '/api/messages/sent')).body;
    const before = await sent();
    await undo(suspended);
    // Each has a time of its own within hours.
    await deliverAll(0);
    expect(await idsIn('/api/messages', other)).toEqual([later.id]);
    await deliverAll();

    const inbox = (await as(other.identity, 'GET', '/api/messages')).body as { id: number; content: string }[];
    expect(inbox.map(({ content }) => content).toSorted()).toEqual(['اثنان', 'بعدها', 'ثلاثة', 'واحد']);
    expect(inbox.at(-1)?.id).toBe(later.id);
    await bed.eventually(async () =>
      expect((await as(other.identity, 'GET', '/api/notifications/count')).body).toEqual({ unread: 4 }),
    );
    expect(await sent()).toEqual(before);
    expect((await as(sender.identity, 'GET', `/api/messages/sent?before=${second.id}`)).body).toMatchObject([
      { id: first.id },
      {},
    ]);

    const delivered = inbox.find(({ content }) => content === 'واحد');
    await as(other.identity, 'POST', '/api/replies', { messageId: delivered?.id, content: 'ردّ' });
    expect((await as(sender.identity, 'GET', `/api/replies/${first.id}`)).body).toMatchObject({ content: 'ردّ' });
    // By the id that its recipient has, its sender finds nothing.
    for (const [method, path] of [
      ['GET', 'replies'],
      ['DELETE', 'messages'],
    ] as const)
      expect((await as(sender.identity, method, `/api/${path}/${delivered?.id}`)).status).toBe(404);
    expect((await as(newVisitor(), 'GET', `/api/ways-back/${first.wayBack?.replace('/r/', '')}`)).body).toMatchObject({
      reply: { content: 'ردّ' },
    });
    await bed.eventually(async () =>
      expect((await as(sender.identity, 'GET', '/api/notifications')).body).toMatchObject([
        { kind: 'reply', subject: { messageId: first.id } },
      ]),
    );
    expect((await as(sender.identity, 'DELETE', `/api/messages/${first.id}`)).status).toBe(204);
    expect(await sent()).not.toEqual(before);
    expect((await as(other.identity, 'GET', `/api/replies/${first.id}`)).status).toBe(404);
  });

  test('a message stored while its suspension is reversed is delivered by the sweep', async () => {
    const reported = await report((await send()).id);
    const suspended = idOf(await act(reported, 'suspend'));
    const other = await bed.newAccount();
    await undo(suspended);
    const { id } = await send(sender.identity, other.id);
    const context = await openReplica(bed);
    // As it is stored if it was judged before.
    const aside = { reason: 'held', matched: null, at: new Date(), actionId: suspended };
    await context.messages.collection.updateOne({ id }, { $set: { userId: -other.id, aside }, $inc: { revision: 1 } });
    expect(await idsIn('/api/messages', other)).toEqual([]);
    await sweepReports(context, new Date(Date.now() + 2 * 60_000));
    await deliverAll();
    expect(await idsIn('/api/messages', other)).toHaveLength(1);
    const stored = await context.reports.find(reported);
    expect(stored?.actions).toMatchObject([{ id: suspended, isPending: false }]);
    await context.database.close();
  });

  // Threat model: moderator-4.
  test('suspending and blocking need an administrator, and suspending an account', async () => {
    const reported = await report((await send(newVisitor())).id);
    for (const action of ['suspend', 'block'])
      expect(await act(reported, action, moderator)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect(await act(reported, 'suspend')).toMatchObject({ status: 409, body: { code: 'sender_unknown' } });
    expect(await row(reported)).toMatchObject({ status: 'open', actions: [] });
  });

  test('an action needs a reason, and days within bounds', async () => {
    const reported = await report((await send()).id);
    for (const [body, fields] of [
      [{ action: 'remove', reason: 'لا' }, { reason: 'too_short' }],
      [{ action: 'remove', reason: 'ن'.repeat(301) }, { reason: 'too_long' }],
      [{ action: 'burn', reason: 'سبب واضح' }, { action: 'not_a_choice' }],
      [{ action: 'suspend', reason: 'سبب واضح', days: 366 }, { days: 'out_of_range' }],
    ] as const)
      expect(await as(administrator, 'POST', `/api/admin/reports/${reported}/actions`, body)).toMatchObject({
        status: 422,
        body: { fields },
      });
  });

  test('of two concurrent actions one is taken', async () => {
    const reported = await report((await send()).id);
    const answers = await Promise.all([
      act(reported, 'dismiss', moderator),
      act(reported, 'remove', administrator),
      act(reported, 'warn', otherAdministrator),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await row(reported))?.['actions']).toHaveLength(1);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'already_decided' });
  });

  test('an action can be followed by one suspension', async () => {
    const reported = await report((await send()).id);
    await act(reported, 'remove', moderator);
    const answers = await Promise.all([act(reported, 'suspend'), act(reported, 'suspend', otherAdministrator)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await ownReports()).toEqual([expect.objectContaining({ outcome: 'removed' })]);
  });

  // Threat model: admin-4.
  test('an action is reversed once, by another administrator', async () => {
    const reported = await report((await send()).id);
    const taken = idOf(await act(reported, 'remove'));
    expect(await undo(taken, administrator)).toMatchObject({ status: 403, body: { code: 'own_action' } });
    expect(await undo(taken, moderator)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    const answers = await Promise.all([undo(taken), undo(taken, { userId: 1_000_004, isAdmin: true })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await row(reported)).toMatchObject({ status: 'open' });
    expect(await undo(999_999)).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
  });

  test('an action cannot be reversed once the message is deleted', async () => {
    const { id } = await send();
    const reported = await report(id);
    const taken = idOf(await act(reported, 'dismiss', moderator));
    await as(owner.identity, 'DELETE', `/api/messages/${id}`);
    expect((await undo(taken)).status).toBe(201);
    const removed = idOf(await act(reported, 'remove', moderator));
    expect(await undo(removed)).toMatchObject({ status: 409, body: { code: 'undo_expired' } });
  });

  test('an action cannot be reversed once the message was discarded', async () => {
    const { id } = await send();
    const removed = idOf(await act(await report(id), 'remove', moderator));
    const context = await openReplica(bed);
    await sweepAside(context, new Date(Date.now() + 31 * 24 * 60 * 60 * 1000));
    await context.database.close();
    expect(await undo(removed)).toMatchObject({ status: 409, body: { code: 'undo_expired' } });
    expect([await idsIn('/api/messages'), await idsIn('/api/messages/sent', sender)]).toEqual([[], [id]]);
  });

  test('the sweep applies an action whose process died before its effect, once', async () => {
    const { id } = await send();
    const reported = await report(id);
    await act(reported, 'remove', moderator);
    const context = await openReplica(bed);
    const { connection } = context.database;
    // As the decision alone leaves it.
    await connection
      .collection('messages')
      .updateOne({ id }, { $set: { userId: owner.id }, $unset: { aside: 1 }, $inc: { revision: 1 } });
    await connection
      .collection('reports')
      .updateOne({ id: reported }, { $set: { pendingSince: new Date(0), 'actions.0.isPending': true } });
    expect(await idsIn('/api/messages')).toEqual([id]);
    await sweepReports(context, new Date());
    expect(await idsIn('/api/messages')).toEqual([]);
    await sweepReports(context, new Date());
    expect(await connection.collection('reports').findOne({ id: reported })).toMatchObject({
      actions: [{ isPending: false }],
      revision: 2,
    });
    await context.database.close();
  });

  test('a decided report is open again after a further report', async () => {
    const { id } = await send();
    await publish(id);
    const reported = await report(id);
    await act(reported, 'dismiss', moderator);
    await report(id, newVisitor(), 'minor');
    expect(await row(reported)).toMatchObject({ status: 'open', reports: 2 });
    expect(await ownReports()).toEqual([expect.objectContaining({ outcome: 'dismissed' })]);
  });
});

test('deleting a held message is not announced to its recipient', async () => {
  const context = await openReplica(bed);
  const announced = new Map<number, number>();
  context.bus.subscribe(
    { messageDeleted: ({ messageId, userId }) => void announced.set(messageId, userId) },
    () => undefined,
  );
  await context.bus.start();
  await bed.eventually(() => Promise.resolve(expect(context.bus.isReceiving()).toBe(true)));
  const visitor = newVisitor();
  const { id, wayBack: known = '' } = await send(visitor);
  await act(await report(id), 'block');
  const { id: heldId, wayBack = '' } = await send(visitor);
  expect(await idsIn('/api/messages')).toEqual([id]);
  for (const path of [wayBack, known])
    expect((await as(visitor, 'DELETE', `/api/ways-back/${path.replace('/r/', '')}`)).status).toBe(204);
  await bed.eventually(() =>
    Promise.resolve(expect([...announced.keys()]).toEqual(expect.arrayContaining([heldId, id]))),
  );
  expect([announced.get(heldId), announced.get(id)]).toEqual([0, owner.id]);
  await context.bus.stop();
  await context.database.close();
});
