import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { actOnReport } from '../../src/moderation/decisions.js';
import { openReplica } from '../support/replica.js';

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: BedAccount;
/** Published, in the order of arrival. */
let ids: number[];

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
});

afterAll(async () => {
  await replica.database.close();
});

const call = (method: string, path: string, body?: unknown, account = owner): Promise<Answer> =>
  bed.call('messages', method, path, { identity: account.identity, ...(body !== undefined && { body }) });

const pin = (...pinned: unknown[]): Promise<Answer> => call('PUT', '/api/messages/pinned', { ids: pinned });

const at = (...places: number[]): number[] => places.map((place) => ids[place] ?? 0);

interface Listed {
  id: number;
  pinned?: true;
}

/** The pages of the public list, as its links lead through them. A pinned message is negative. */
async function pages(query = ''): Promise<number[][]> {
  const found: number[][] = [];
  let path = `/api/messages/public/${owner.id}${query}`;
  while (path !== '') {
    const { body, headers } = await call('GET', path);
    found.push((body as Listed[]).map(({ id, pinned }) => (pinned ? -id : id)));
    path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
  }
  return found;
}

const pinnedIds = async (): Promise<number[]> =>
  ((await call('GET', '/api/messages/pinned')).body as Listed[]).map(({ id }) => id);

beforeEach(async () => {
  owner = await bed.newAccount();
  ids = [];
  for (let count = 0; count < 5; count += 1) {
    const { id } = await bed.sendMessage(owner.id);
    await call('PATCH', `/api/messages/${id}`, { isPublic: true });
    ids.push(id);
  }
});

test('the public list begins with pinned messages in order, on pages of any size', async () => {
  const [first, second, third, fourth, fifth] = at(0, 1, 2, 3, 4) as [number, number, number, number, number];
  expect((await pin(second, fourth, first)).body).toMatchObject([
    { id: second, pinned: true },
    { id: fourth, pinned: true },
    { id: first, pinned: true },
  ]);
  const all = [-second, -fourth, -first, fifth, third];
  expect(await pages()).toEqual([all]);
  expect(await pages('?limit=1')).toEqual(all.map((id) => [id]));
  expect(await pages('?limit=2')).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  expect(await pages('?limit=3')).toEqual([all.slice(0, 3), all.slice(3)]);
  expect(await pages('?limit=2&sort=oldest')).toEqual([[-second, -fourth], [-first, third], [fifth]]);
  const inbox = (await call('GET', '/api/messages')).body as Listed[];
  expect(inbox.map(({ id, pinned }) => (pinned ? -id : id))).toEqual([fifth, -fourth, third, -second, -first]);

  await pin(first, fifth);
  expect(await pages('?limit=3')).toEqual([
    [-first, -fifth, fourth],
    [third, second],
  ]);
  expect((await pin()).body).toEqual([]);
  expect(await pages()).toEqual([[fifth, fourth, third, second, first]]);
});

test('a message that is unpublished, deleted or removed is no longer pinned', async () => {
  const [first, second, third] = at(0, 1, 2) as [number, number, number];
  await pin(first, second, third);
  await call('PATCH', `/api/messages/${first}`, { isPublic: false });
  await call('PATCH', `/api/messages/${first}`, { isPublic: true });
  expect(await pinnedIds()).toEqual([second, third]);
  await call('DELETE', `/api/messages/${second}`);
  expect(await pinnedIds()).toEqual([third]);
  const report = (await call('POST', '/api/reports', { messageId: third, reason: 'threat' })).body as { id: number };
  await actOnReport(replica, report.id, { action: 'remove', reason: 'تهديد صريح', days: undefined, actorId: 1 });
  expect(await pinnedIds()).toEqual([]);
  expect(await pages()).toEqual([at(4, 3, 0)]);
});

test.each(['unpublish', 'delete'])('undoing the change by %s restores the pin', async (action) => {
  const [first, second] = at(0, 1) as [number, number];
  await pin(first, second);
  const { body } = await call('POST', '/api/messages/bulk', { ids: [first], action });
  expect(await pinnedIds()).toEqual([second]);
  await call('POST', '/api/messages/undo', { undoToken: (body as { undoToken: string }).undoToken });
  expect(await pinnedIds()).toEqual([first, second]);
});

test('refuses to pin what is not public, and changes nothing', async () => {
  const [first, second] = at(0, 1) as [number, number];
  const { id: hidden } = await bed.sendMessage(owner.id);
  const stranger = await bed.newAccount();
  const { id: foreign } = await bed.sendMessage(stranger.id);
  await call('PATCH', `/api/messages/${foreign}`, { isPublic: true }, stranger);
  await pin(first);
  const message: unknown = expect.any(String);
  expect(await pin(second, hidden)).toMatchObject({ status: 409, body: { code: 'not_public', message } });
  expect(await pin(second, foreign)).toMatchObject({ status: 404, body: { code: 'message_not_found' } });
  for (const [given, fields] of [
    [ids.slice(0, 4), { ids: 'too_long' }],
    [[first, first], { ids: 'not_valid' }],
    [['x'], { 'ids.0': 'required' }],
  ] as const)
    expect(await pin(...given)).toMatchObject({ status: 422, body: { code: 'invalid_input', fields } });
  expect(await pinnedIds()).toEqual([first]);
});

test('shows at most three pins of concurrent calls, and loses no message from the page', async () => {
  const [first, second, third, fourth, fifth] = at(0, 1, 2, 3, 4) as [number, number, number, number, number];
  await Promise.all([pin(first, second), pin(third, fourth), pin(fifth, first)]);
  const [shown = []] = await pages();
  expect(shown.map(Math.abs).sort((a, b) => a - b)).toEqual(ids);
  expect((await pinnedIds()).length).toBeLessThanOrEqual(3);
  await pin(fifth);
  expect(await pinnedIds()).toEqual([fifth]);
});

test('refuses to replace pins that the client has not seen', async () => {
  const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';
  const pinFor = (tag: string, ...pinned: number[]) =>
    bed.call('messages', 'PUT', '/api/messages/pinned', {
      identity: owner.identity,
      headers: { 'if-match': tag },
      body: { ids: pinned },
    });
  const seen = tagOf(await call('GET', '/api/messages/pinned'));
  const first = await pinFor(seen, ...at(0, 1));
  expect(first.status).toBe(200);
  const late = await pinFor(seen, ...at(2));
  const [, , third] = ids;
  expect([late.status, late.body]).toMatchObject([
    412,
    { code: 'changed_elsewhere', current: at(0, 1).map((id) => ({ id })) },
  ]);
  expect(await pinnedIds()).toEqual(at(0, 1));
  expect(tagOf(await call('GET', '/api/messages/pinned'))).toBe(tagOf(first));
  expect((await pinFor(tagOf(first), ...at(1, 0), third ?? 0)).status).toBe(200);
  expect((await pinFor('*', ...at(4))).status).toBe(200);
  expect(await pinnedIds()).toEqual(at(4));
});
