import { describe, expect, test } from '@jest/globals';
import type { CallerIdentity } from '@najwa/testing';
import { loadConfig } from '../../src/config.js';
import { createContext } from '../../src/context.js';
import { sweepAside } from '../../src/safety/aside.js';
import { deliverHeld, sweepReports } from '../../src/moderation/decisions.js';
import { messageOf } from '../support/answers.js';
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
  queue,
  report,
  row,
  send,
  sender,
  undo,
  useReportBed,
} from '../support/reports.js';
import { withDatabase } from '../support/theft.js';

useReportBed();

/** Delivers what actions held that were taken back, however long that takes. */
async function deliverAll(days = 1): Promise<void> {
  const context = await createContext(loadConfig(bed.environmentOf('messages')));
  await context.database.connect();
  await deliverHeld(context, new Date(Date.now() + days * 24 * 60 * 60_000));
  context.deliveries.stop();
  await context.database.close();
}

/** Makes what was decided about a report four days old. */
const age = (id: number): Promise<unknown> =>
  withDatabase(bed, 'messages', (connection) =>
    connection
      .collection('reports')
      .updateOne({ id }, { $set: { 'actions.0.at': new Date(Date.now() - 4 * 24 * 60 * 60 * 1000) } }),
  );

describe('the queue', () => {
  // Threat model: moderator-1.
  test('shows one row for a message, without recipient, sender and reporters', async () => {
    const { id } = await send();
    await publish(id);
    const reported = await report(id);
    await report(id, newVisitor(), 'spam');
    const found = await row(reported);
    expect(found).toMatchObject({ reports: 2, status: 'open', assignedTo: null, senderReportedBefore: 'none' });
    for (const account of [owner, sender]) expect(JSON.stringify(found)).not.toContain(account.username);
    const keys = Object.keys({ ...found, ...(found?.['message'] as object) });
    expect(keys.filter((key) => /^(user|owner|sender|recipient|reporter)/.test(key))).toEqual([
      'senderReportedBefore',
      'senderActions',
    ]);
  });

  test('begins with open reports of which somebody may be in danger, over all pages', async () => {
    const doubtful = await send();
    await publish(doubtful.id);
    const [threat, spam, minor, harassment] = [
      await report((await send()).id),
      await report(doubtful.id, undefined, 'spam'),
      await report((await send()).id, undefined, 'minor'),
      await report((await send()).id, undefined, 'harassment'),
    ];
    const walk = async (): Promise<number[]> => {
      const walked: number[] = [];
      for (let page: number[] | undefined; page === undefined || page.length > 0; walked.push(...page)) {
        const before = walked.length === 0 ? '' : `&before=${walked.at(-1)}`;
        const { body } = await as(moderator, 'GET', `/api/admin/reports?status=open&limit=7${before}`);
        page = (body as { id: number }[]).map(({ id }) => id);
      }
      expect(new Set(walked).size).toBe(walked.length);
      return walked.filter((id) => [threat, spam, minor, harassment].includes(id));
    };
    expect(await walk()).toEqual([minor, threat, harassment, spam]);
    await report(doubtful.id, newVisitor(), 'minor');
    expect(await walk()).toEqual([minor, spam, threat, harassment]);
  });

  // Threat model: moderator-7, moderator-10.
  test('knows the same sender across recipients, by what others decided some days ago', async () => {
    const other = await bed.newAccount();
    const visitor = newVisitor();
    const [second, third] = [await send(visitor, other.id), await send()];
    const reported = await report(second.id, other.identity);
    const neighbour = await report(third.id);
    const expectHistory = async (senderReportedBefore: string, senderActions: object, by = moderator) =>
      expect((await queue('', by)).find(({ id }) => id === reported)).toMatchObject({
        senderReportedBefore,
        senderActions,
      });
    const decide = async (action: string): Promise<number> => {
      const before = await report((await send(visitor)).id);
      await act(before, action);
      return before;
    };
    const first = await decide('remove');
    await expectHistory('none', {});
    await age(first);
    await expectHistory('some', { remove: 'some' });
    // The moderator who decided learns nothing by it.
    await expectHistory('none', {}, administrator);
    for (const action of ['dismiss', 'remove', 'remove']) await age(await decide(action));
    await expectHistory('some', { remove: 'some' });
    await age(await decide('warn'));
    await expectHistory('many', { remove: 'some', warn: 'some' });
    expect(await row(neighbour)).toMatchObject({ senderReportedBefore: 'none', senderActions: {} });
  });

  // Threat model: sender-4.
  test('does not take another account behind the same address for the same sender', async () => {
    const line = { visitorId: newVisitor().visitorId ?? '', visitorByAddress: true as const };
    const neighbour = await bed.newAccount();
    const [first, other] = [
      await send({ ...sender.identity, ...line }),
      await send({ ...neighbour.identity, ...line }),
    ];
    const before = await report(first.id);
    await act(before, 'warn');
    await age(before);
    expect(await row(await report(other.id))).toMatchObject({ senderReportedBefore: 'none' });
  });

  // Threat model: moderator-5.
  test('has no own affairs of a moderator: neither an own message, nor an own report, nor of an own inbox', async () => {
    const moderatorOf = (userId: number): CallerIdentity => ({ userId, isModerator: true });
    const { id } = await send();
    await publish(id);
    const reporter = await bed.newAccount();
    const reported = await report(id, reporter.identity, 'spam');
    for (const by of [moderatorOf(sender.id), moderatorOf(reporter.id), moderatorOf(owner.id)]) {
      expect((await queue('', by)).map((found) => found['id'])).not.toContain(reported);
      expect((await as(by, 'POST', `/api/admin/reports/${reported}/open`)).status).toBe(404);
      expect((await act(reported, 'dismiss', by)).status).toBe(404);
    }
    expect(await row(reported)).toMatchObject({ status: 'open', actions: [] });
  });

  // Threat model: moderator-6.
  test('does not tell a moderator which public messages have one sender', async () => {
    const other = await bed.newAccount();
    const visitor = newVisitor();
    const [first, second, third] = [await send(visitor), await send(visitor), await send(visitor)];
    for (const { id } of [first, second, third]) await publish(id);
    const before = await report(first.id, (await bed.newAccount()).identity);
    const reported = await report(second.id, other.identity);
    for (const id of [before, reported]) expect(await row(id)).toMatchObject({ senderReportedBefore: 'none' });
    // The recipient says that it is an affair of moderators, and so does what was done about the first one.
    await report(second.id);
    expect(await row(reported)).toMatchObject({ senderReportedBefore: 'none' });
    await act(before, 'remove');
    await age(before);
    expect(await row(reported)).toMatchObject({ senderReportedBefore: 'some', senderActions: { remove: 'some' } });
    const chosen = await report(third.id, other.identity);
    expect(await row(chosen)).toMatchObject({ senderReportedBefore: 'none', senderActions: {} });
  });

  test('assigns an open report to the first who opens it', async () => {
    const { id } = await send();
    const reported = await report(id);
    const reader = await bed.newAccount();
    const identity = { ...reader.identity, isModerator: true };
    const opened = await as(identity, 'POST', `/api/admin/reports/${reported}/open`);
    expect(opened).toMatchObject({ status: 200, body: { assignedTo: reader.username } });
    expect((await as(moderator, 'POST', `/api/admin/reports/${reported}/open`)).body).toMatchObject({
      assignedTo: reader.username,
    });
    expect((await queue('&status=mine', identity)).map((found) => found['id'])).toEqual([reported]);
    expect(await queue('&status=mine')).toEqual([]);
    await act(reported, 'dismiss', identity);
    expect((await queue('&status=open')).map((found) => found['id'])).not.toContain(reported);
    expect((await queue('&status=closed')).map((found) => found['id'])).toContain(reported);
    expect((await as(moderator, 'POST', '/api/admin/reports/999999/open')).body).toMatchObject({
      code: 'report_not_found',
    });
  });

  test('has pages', async () => {
    for (let count = 0; count < 3; count += 1) await report((await send(newVisitor())).id);
    const first = await as(moderator, 'GET', '/api/admin/reports?status=open&limit=2');
    expect(Number(first.headers.get('x-total-count'))).toBeGreaterThanOrEqual(3);
    const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await as(moderator, 'GET', next);
    const ids = [first, second].flatMap(({ body }) => (body as { id: number }[]).map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  });

  // Threat model: moderator-3, gateway-12.
  test('writes every look and action into the audit log, with the reason', async () => {
    const reported = await report((await send()).id);
    await queue();
    await as(moderator, 'POST', `/api/admin/reports/${reported}/open`);
    await act(reported, 'suspend', moderator);
    await undo(idOf(await act(reported, 'dismiss', moderator)));
    const log = (await as(administrator, 'GET', '/api/admin/audit?limit=5')).body as Record<string, unknown>[];
    expect(log).toMatchObject([
      {
        action: 'action.undo',
        outcome: 'done',
        userId: 1_000_003,
        details: { reportId: reported, reason: 'كان مزاحًا' },
      },
      { action: 'report.act', outcome: 'done', userId: 1_000_001, details: { action: 'dismiss', reason: 'سبب واضح' } },
      { action: 'report.act', outcome: 'refused', details: { action: 'suspend', code: 'not_allowed' } },
      { action: 'report.open', outcome: 'done', details: { reportId: reported } },
      { action: 'reports.list', outcome: 'done', details: { status: 'all' } },
    ]);
    expect(JSON.stringify(log)).not.toContain('مؤذية');
  });
});

// Threat model: moderator-8.
test('a page that begins after an own affair does not tell whether that is urgent', async () => {
  const other = await bed.newAccount();
  for (const reason of ['threat', 'spam'])
    await report((await send(newVisitor(), other.id)).id, other.identity, reason);
  const own = [];
  for (const reason of ['threat', 'spam']) own.push(await report((await send()).id, undefined, reason));
  const pages = [];
  for (const id of own) pages.push(await queue(`&status=open&before=${id}`, { userId: sender.id, isModerator: true }));
  expect(pages[0]).toEqual(pages[1]);
  expect(pages[0]?.length).toBeGreaterThan(1);
});

// Threat model: admin-10.
test('the audit log has nothing of what others did about own affairs of an administrator', async () => {
  const reader = { userId: sender.id, isAdmin: true };
  const open = (id: number, by: CallerIdentity) => as(by, 'POST', `/api/admin/reports/${id}/open`);
  const log = async (by: CallerIdentity, limit: number) =>
    (await as(by, 'GET', `/api/admin/audit?limit=${limit}`)).body as { action: string; details: object }[];
  const other = await bed.newAccount();
  const foreign = await report((await send(newVisitor(), other.id)).id, other.identity);
  const reported = await report((await send()).id);
  await queue();
  await open(foreign, administrator);
  await open(reported, administrator);
  const taken = idOf(await act(reported, 'suspend'));
  await undo(taken, administrator);
  await undo(taken);
  // As of a report that is not there: whoever tries ids finds every try.
  expect((await open(reported, reader)).status).toBe(404);

  expect(await log(otherAdministrator, 7)).toMatchObject([
    { action: 'report.open', details: { reportId: reported, code: 'report_not_found' } },
    { action: 'action.undo', details: { reportId: reported, actionId: taken } },
    { action: 'action.undo', details: { actionId: taken, code: 'own_action' } },
    { action: 'report.act', details: { reportId: reported, action: 'suspend' } },
    { action: 'report.open', details: { reportId: reported } },
    { action: 'report.open', details: { reportId: foreign } },
    { action: 'reports.list', details: { status: 'all' } },
  ]);
  const seen = [
    { action: 'report.open', details: { reportId: reported, code: 'report_not_found' } },
    { action: 'report.open', details: { reportId: foreign } },
    { action: 'reports.list', details: { status: 'all' } },
  ];
  expect((await log(reader, 3)).map(({ action, details }) => ({ action, details }))).toEqual(seen);

  const context = await createContext(loadConfig(bed.environmentOf('messages')));
  await context.database.connect();
  await context.reports.remove(reported, []);
  await context.database.close();
  expect((await log(reader, 2)).map(({ action, details }) => ({ action, details }))).toEqual([
    seen[0],
    { action: 'action.undo', details: {} },
  ]);
});

describe('the history', () => {
  const history = async (query = '', by = moderator) => {
    const { status, body } = await as(by, 'GET', `/api/admin/actions?${query}`);
    expect(status).toBe(200);
    return body as { id: number; reportId: number; action: string; undone: object | null }[];
  };

  test('has the actions of all, newest first, alone by kind, and page by page', async () => {
    const taken: number[] = [];
    for (const action of ['dismiss', 'remove', 'warn']) {
      const reported = await report((await send(newVisitor())).id);
      taken.unshift(idOf(await act(reported, action)));
    }
    const reported = await report((await send()).id);
    taken.unshift(idOf(await act(reported, 'dismiss', moderator)));
    taken.unshift(idOf(await act(reported, 'suspend')));
    expect((await history('limit=5')).map(({ id }) => id)).toEqual(taken);
    expect(await history('limit=1')).toMatchObject([
      { action: 'suspend', reportId: reported, reason: 'سبب واضح', days: 7, undone: null },
    ]);
    expect((await history('kind=remove&limit=1')).map(({ id }) => id)).toEqual([taken[3]]);

    await undo(taken[2] ?? 0);
    expect(await history('kind=undone&limit=1')).toMatchObject([{ id: taken[2], undone: { reason: 'كان مزاحًا' } }]);

    const pages: number[] = [];
    for (let path: string | undefined = '/api/admin/actions?limit=2'; path !== undefined && pages.length < 5;) {
      const { body, headers } = await as(moderator, 'GET', path);
      pages.push(...(body as { id: number }[]).map(({ id }) => id));
      path = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages.slice(0, 5)).toEqual(taken);
    expect(await history(`kind=block&before=${taken.at(-1)}`)).toEqual(expect.any(Array));
    expect(await history('before=1')).toEqual([]);
  });

  // Threat model: moderator-5.
  test('has no own affairs of a moderator, and a page without them is full', async () => {
    const other = await bed.newAccount();
    const foreign = idOf(await act(await report((await send(newVisitor(), other.id)).id, other.identity), 'dismiss'));
    const { id } = await send();
    await publish(id);
    const reporter = await bed.newAccount();
    const reported = await report(id, reporter.identity);
    for (const action of ['warn', 'suspend']) await act(reported, action);
    for (const { id: userId } of [sender, reporter, owner])
      expect((await history('limit=1', { userId, isModerator: true })).map((found) => found.id)).toEqual([foreign]);
    expect((await history('limit=1'))[0]).toMatchObject({ reportId: reported, action: 'suspend' });
  });

  test('is read on record, and refuses what it does not know', async () => {
    await history('kind=suspend');
    const [entry] = (await as(administrator, 'GET', '/api/admin/audit?limit=1')).body as object[];
    expect(entry).toMatchObject({ action: 'actions.list', outcome: 'done', details: { kind: 'suspend' } });
    expect(await as(moderator, 'GET', '/api/admin/actions?kind=burn')).toMatchObject({
      status: 422,
      body: { fields: { kind: 'not_a_choice' } },
    });
  });
});

test('the filters of the queue are counted, with the own reports of each', async () => {
  const counts = async (by: CallerIdentity) =>
    (await as(by, 'GET', '/api/admin/reports/counts')).body as Record<'open' | 'mine' | 'closed', number>;
  const reader = { ...(await bed.newAccount()).identity, isModerator: true };
  const before = await counts(reader);
  expect(before.mine).toBe(0);
  const [first, second] = [await report((await send()).id), await report((await send(newVisitor())).id)];
  await as(reader, 'POST', `/api/admin/reports/${first}/open`);
  await act(second, 'dismiss', moderator);
  expect(await counts(reader)).toEqual({ open: before.open + 1, mine: 1, closed: before.closed + 1 });
  expect((await counts(moderator)).mine).toBe(0);
});

describe('an action', () => {
  test('removes a message everywhere but from the list of its sender, and comes back as it was', async () => {
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

  test('warns the sender in the list of sent messages', async () => {
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
  test('suspends an account, which notices nothing and can still read and reply', async () => {
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
  test('blocks a visitor everywhere, also signed in, and keeps what the recipient decided', async () => {
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

  test('that holds what another one held before gives it back when both are taken back', async () => {
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
  test('that is taken back has what it held judged again, by blocks and filters of then', async () => {
    const [blocking, filtering, lifting] = [await bed.newAccount(), await bed.newAccount(), await bed.newAccount()];
    const [first, other] = [await send(sender.identity, blocking.id), await send(sender.identity, lifting.id)];
    const lifted = idOf(await as(lifting.identity, 'POST', '/api/blocks', { messageId: other.id }));
    const suspended = idOf(await act(await report((await send()).id), 'suspend'));
    for (const { id } of [blocking, filtering, lifting]) await send(sender.identity, id, 'شيء سرّي');
    await undo(suspended);
    expect((await as(blocking.identity, 'POST', '/api/blocks', { messageId: first.id })).status).toBe(201);
    await as(filtering.identity, 'PUT', '/api/filters', { words: ['سرّي'], lists: [] });
    expect((await as(lifting.identity, 'DELETE', `/api/blocks/${lifted}`)).status).toBe(204);
    const context = await createContext(loadConfig(bed.environmentOf('messages')));
    await context.database.connect();
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
    for (const [{ id }, kind] of [
      [blocking, 'set aside'],
      [filtering, 'set aside'],
      [lifting, 'restored'],
    ] as const)
      expect(events.filter(([, userId]) => userId === id)).toEqual([[kind, id]]);
    await context.bus.stop();
    await context.database.close();
  });

  // Threat model: owner-21.
  test('that is taken back delivers nothing into an inbox that takes nothing of its sender by then', async () => {
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
  test('that is taken back lets what a closed inbox never took go after thirty days, and its sender sees that', async () => {
    const other = await bed.newAccount();
    const receive = (from: string) => as(other.identity, 'PATCH', '/api/users/receiving', { from });
    const suspended = idOf(await act(await report((await send()).id), 'suspend'));
    const taken = await send(sender.identity, other.id);
    const lost = await send(sender.identity, owner.id);
    await receive('nobody');
    await as(owner.identity, 'PATCH', '/api/users/receiving', { from: 'nobody' });
    await undo(suspended);
    const context = await createContext(loadConfig(bed.environmentOf('messages')));
    await context.database.connect();
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
  test('that is taken back delivers what it held as new messages, and its sender sees no difference', async () => {
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

  test('that is taken back while a message is stored gives it back with the sweep', async () => {
    const reported = await report((await send()).id);
    const suspended = idOf(await act(reported, 'suspend'));
    const other = await bed.newAccount();
    await undo(suspended);
    const { id } = await send(sender.identity, other.id);
    const context = await createContext(loadConfig(bed.environmentOf('messages')));
    await context.database.connect();
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
  test('is for administrators if it suspends or blocks, and needs an account to suspend', async () => {
    const reported = await report((await send(newVisitor())).id);
    for (const action of ['suspend', 'block'])
      expect(await act(reported, action, moderator)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect(await act(reported, 'suspend')).toMatchObject({ status: 409, body: { code: 'sender_unknown' } });
    expect(await row(reported)).toMatchObject({ status: 'open', actions: [] });
  });

  test('needs a reason, and days within bounds', async () => {
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

  test('of two moderators at once is one', async () => {
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

  test('can be followed by a suspension, once', async () => {
    const reported = await report((await send()).id);
    await act(reported, 'remove', moderator);
    const answers = await Promise.all([act(reported, 'suspend'), act(reported, 'suspend', otherAdministrator)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await ownReports()).toEqual([expect.objectContaining({ outcome: 'removed' })]);
  });

  // Threat model: admin-4.
  test('is taken back once, by another administrator', async () => {
    const reported = await report((await send()).id);
    const taken = idOf(await act(reported, 'remove'));
    expect(await undo(taken, administrator)).toMatchObject({ status: 403, body: { code: 'own_action' } });
    expect(await undo(taken, moderator)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    const answers = await Promise.all([undo(taken), undo(taken, { userId: 1_000_004, isAdmin: true })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await row(reported)).toMatchObject({ status: 'open' });
    expect(await undo(999_999)).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
  });

  test('cannot be taken back once the message is gone', async () => {
    const { id } = await send();
    const reported = await report(id);
    const taken = idOf(await act(reported, 'dismiss', moderator));
    await as(owner.identity, 'DELETE', `/api/messages/${id}`);
    expect((await undo(taken)).status).toBe(201);
    const removed = idOf(await act(reported, 'remove', moderator));
    expect(await undo(removed)).toMatchObject({ status: 409, body: { code: 'undo_expired' } });
  });

  test('cannot be taken back once the message was discarded', async () => {
    const { id } = await send();
    const removed = idOf(await act(await report(id), 'remove', moderator));
    const context = await createContext(loadConfig(bed.environmentOf('messages')));
    await context.database.connect();
    await sweepAside(context, new Date(Date.now() + 31 * 24 * 60 * 60 * 1000));
    await context.database.close();
    expect(await undo(removed)).toMatchObject({ status: 409, body: { code: 'undo_expired' } });
    expect([await idsIn('/api/messages'), await idsIn('/api/messages/sent', sender)]).toEqual([[], [id]]);
  });

  test('whose process died before its effect takes place with the sweep, once', async () => {
    const { id } = await send();
    const reported = await report(id);
    await act(reported, 'remove', moderator);
    const context = await createContext(loadConfig(bed.environmentOf('messages')));
    await context.database.connect();
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

  test('is open again after a further report', async () => {
    const { id } = await send();
    await publish(id);
    const reported = await report(id);
    await act(reported, 'dismiss', moderator);
    await report(id, newVisitor(), 'minor');
    expect(await row(reported)).toMatchObject({ status: 'open', reports: 2 });
    expect(await ownReports()).toEqual([expect.objectContaining({ outcome: 'dismissed' })]);
  });
});

test('the deletion of a message that moderators hold is not announced to its recipient', async () => {
  const context = await createContext(loadConfig(bed.environmentOf('messages')));
  await context.database.connect();
  const told = new Map<number, number>();
  context.bus.subscribe(
    { messageDeleted: ({ messageId, userId }) => void told.set(messageId, userId) },
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
  await bed.eventually(() => Promise.resolve(expect([...told.keys()]).toEqual(expect.arrayContaining([heldId, id]))));
  expect([told.get(heldId), told.get(id)]).toEqual([0, owner.id]);
  await context.bus.stop();
  await context.database.close();
});
