import { describe, expect, test } from '@jest/globals';
import type { CallerIdentity } from '@najwa/testing';
import { openReplica } from '../support/replica.js';
import {
  act,
  administrator,
  as,
  bed,
  idOf,
  moderator,
  newVisitor,
  otherAdministrator,
  owner,
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

/** Makes what was decided about a report four days old. */
const age = (id: number): Promise<unknown> =>
  withDatabase(bed, 'messages', (connection) =>
    connection
      .collection('reports')
      .updateOne({ id }, { $set: { 'actions.0.at': new Date(Date.now() - 4 * 24 * 60 * 60 * 1000) } }),
  );

describe('the queue', () => {
  // Threat model: moderator-1.
  test('the queue shows one row per message, without recipient, sender and reporters', async () => {
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

  test('the queue begins with urgent open reports, over all pages', async () => {
    const doubtful = await send();
    await publish(doubtful.id);
    const [threat, spam, minor, harassment, blackmail, harm] = [
      await report((await send()).id),
      await report(doubtful.id, undefined, 'spam'),
      await report((await send()).id, undefined, 'minor'),
      await report((await send()).id, undefined, 'harassment'),
      await report((await send()).id, undefined, 'blackmail'),
      await report((await send()).id, undefined, 'self_harm'),
    ];
    const walk = async (): Promise<number[]> => {
      const walked: number[] = [];
      for (let page: number[] | undefined; page === undefined || page.length > 0; walked.push(...page)) {
        const before = walked.length === 0 ? '' : `&before=${walked.at(-1)}`;
        const { body } = await as(moderator, 'GET', `/api/admin/reports?status=open&limit=7${before}`);
        page = (body as { id: number }[]).map(({ id }) => id);
      }
      expect(new Set(walked).size).toBe(walked.length);
      return walked.filter((id) => [threat, spam, minor, harassment, blackmail, harm].includes(id));
    };
    expect(await walk()).toEqual([harm, blackmail, minor, threat, harassment, spam]);
    await report(doubtful.id, newVisitor(), 'minor');
    expect(await walk()).toEqual([harm, blackmail, minor, spam, threat, harassment]);
  });

  // Threat model: moderator-7, moderator-10.
  test('the queue recognises a sender across recipients by decisions some days old', async () => {
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
  test('the queue distinguishes accounts behind the same address', async () => {
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
  test('the queue excludes own affairs: own messages, own reports and the own inbox', async () => {
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
  test('the queue does not reveal which public messages have one sender', async () => {
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

  test('an open report is assigned to the first moderator who opens it', async () => {
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

  test('the queue has pages', async () => {
    for (let count = 0; count < 3; count += 1) await report((await send(newVisitor())).id);
    const first = await as(moderator, 'GET', '/api/admin/reports?status=open&limit=2');
    expect(Number(first.headers.get('x-total-count'))).toBeGreaterThanOrEqual(3);
    const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await as(moderator, 'GET', next);
    const ids = [first, second].flatMap(({ body }) => (body as { id: number }[]).map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  });

  // Threat model: moderator-3, gateway-12.
  test('the audit log records every look and action, with the reason', async () => {
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
test('a page that begins after an own affair does not reveal its urgency', async () => {
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
test('the audit log hides decisions about own affairs of an administrator', async () => {
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
  // As for a missing report, so that probing ids reveals nothing.
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

  const context = await openReplica(bed);
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

  test('the history lists all actions, newest first, by kind and by page', async () => {
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
  test('the history excludes own affairs of a moderator, and its pages are full', async () => {
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

  test('reading the history is recorded, and unknown filters are refused', async () => {
    await history('kind=suspend');
    const [entry] = (await as(administrator, 'GET', '/api/admin/audit?limit=1')).body as object[];
    expect(entry).toMatchObject({ action: 'actions.list', outcome: 'done', details: { kind: 'suspend' } });
    expect(await as(moderator, 'GET', '/api/admin/actions?kind=burn')).toMatchObject({
      status: 422,
      body: { fields: { kind: 'not_a_choice' } },
    });
  });
});

test("the queue counts each of its filters, with the moderator's own reports", async () => {
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
