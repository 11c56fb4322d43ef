import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { createLogger } from '@najwa/common/logging';
import { sharedBed, type Bed, type BedAccount, type CallerIdentity } from '@najwa/testing';
import { create, loadConfig } from '../../src/index.js';
import { administrator, readAudit, type AuditEntry } from './admin-bed.js';

let bed: Bed;
/** Cannot reach auth. */
let alone: Awaited<ReturnType<typeof create>>;
let owner: BedAccount;
let decider: BedAccount;
let other: BedAccount;
/** Of the owner, about a text. */
let reportId: number;

beforeAll(async () => {
  bed = await sharedBed();
  alone = await create(loadConfig({ ...bed.environmentOf('admin'), AUTH_GRPC: '127.0.0.1:1' }), {
    logger: createLogger({ service: 'admin', level: 'silent' }),
  });
  await alone.start();
  [owner, decider, other] = await Promise.all([bed.newAccount(), bed.newAccount(), bed.newAccount()]);
  const { id: messageId } = await bed.sendMessage(owner.id);
  const reported = await bed.call('messages', 'POST', '/api/reports', {
    identity: owner.identity,
    body: { messageId, reason: 'spam' },
  });
  ({ id: reportId } = reported.body as { id: number });
});

afterAll(async () => {
  await alone.stop();
});

const as = ({ identity }: BedAccount) => ({ ...identity, isAdmin: true });

async function callAlone(path: string, body: object, identity: CallerIdentity) {
  const response = await fetch(`http://127.0.0.1:${alone.ports().http}${path}`, {
    method: 'POST',
    headers: { [IDENTITY_HEADER]: await bed.identityToken('admin', identity), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { id: number; by: string | null } };
}

test('a decision is answered as done while usernames are unavailable', async () => {
  const taken = await callAlone(
    `/api/admin/reports/${reportId}/actions`,
    { action: 'dismiss', reason: 'سبب واضح' },
    as(decider),
  );
  expect(taken).toMatchObject({ status: 201, body: { action: 'dismiss', by: null, undone: null } });
  const undone = await callAlone(`/api/admin/actions/${taken.body.id}/undo`, { reason: 'كان مزاحًا' }, as(other));
  expect(undone).toMatchObject({ status: 201, body: { id: taken.body.id, undone: { by: null } } });

  const log = await bed.call('admin', 'GET', '/api/admin/actions', { identity: administrator });
  expect((log.body as { id: number }[]).find(({ id: found }) => found === taken.body.id)).toMatchObject({
    by: decider.username,
    undone: { by: other.username, reason: 'كان مزاحًا' },
  });
});

const open = (reader: BedAccount) =>
  bed.call('admin', 'POST', `/api/admin/reports/${reportId}/open`, { identity: as(reader) });

test('a reported text has neither a recording nor a picture', async () => {
  expect(await open(decider)).toMatchObject({
    status: 200,
    body: { message: { imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null } },
  });
});

test('the audit log shows an administrator what others did, except in its own affair', async () => {
  expect((await open(other)).status).toBe(200);
  const entriesFor = async (reader: BedAccount) =>
    (await bed.call('admin', 'GET', '/api/admin/audit', { identity: as(reader) })).body as AuditEntry[];
  const opened = { userId: other.id, action: 'report.open', details: { reportId } };
  expect(await entriesFor(decider)).toContainEqual(expect.objectContaining(opened));
  expect((await entriesFor(owner)).filter(({ userId }) => userId === other.id)).toEqual([]);
});

test('the audit log says which page of reports was read', async () => {
  await bed.call('admin', 'GET', '/api/admin/reports?status=closed&before=7', { identity: administrator });
  const [entry] = await readAudit(bed, '?limit=1');
  expect(entry).toMatchObject({ action: 'reports.list', details: { status: 'closed', before: 7 } });
});
