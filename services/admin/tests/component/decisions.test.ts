import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { createLogger } from '@najwa/common/logging';
import { sharedBed, type Bed, type BedAccount, type CallerIdentity } from '@najwa/testing';
import { create, loadConfig } from '../../src/index.js';
import { administrator } from './admin-bed.js';

let bed: Bed;
/** Cannot reach auth. */
let alone: Awaited<ReturnType<typeof create>>;

beforeAll(async () => {
  bed = await sharedBed();
  alone = await create(loadConfig({ ...bed.environmentOf('admin'), AUTH_GRPC: '127.0.0.1:1' }), {
    logger: createLogger({ service: 'admin', level: 'silent' }),
  });
  await alone.start();
});

afterAll(async () => {
  await alone.stop();
});

async function callAlone(path: string, body: object, identity: CallerIdentity) {
  const response = await fetch(`http://127.0.0.1:${alone.ports().http}${path}`, {
    method: 'POST',
    headers: { [IDENTITY_HEADER]: await bed.identityToken('admin', identity), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { id: number; by: string | null } };
}

test('a decision is answered as done while usernames are unavailable', async () => {
  const [owner, decider, other] = await Promise.all([bed.newAccount(), bed.newAccount(), bed.newAccount()]);
  const as = ({ identity }: BedAccount) => ({ ...identity, isAdmin: true });
  const { id: messageId } = await bed.sendMessage(owner.id);
  const reported = await bed.call('messages', 'POST', '/api/reports', {
    identity: owner.identity,
    body: { messageId, reason: 'spam' },
  });
  const { id } = reported.body as { id: number };

  const taken = await callAlone(
    `/api/admin/reports/${id}/actions`,
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
