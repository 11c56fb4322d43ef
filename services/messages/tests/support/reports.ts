import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect } from '@jest/globals';
import { sharedBed, uniqueAddress, type Answer, type Bed, type BedAccount, type CallerIdentity } from '@najwa/testing';

export let bed: Bed;
/** Receives, in each test another account. */
export let owner: BedAccount;
/** Sends. */
export let sender: BedAccount;

export const moderator: CallerIdentity = { userId: 1_000_001, isModerator: true };
export const administrator: CallerIdentity = { userId: 1_000_002, isAdmin: true };
export const otherAdministrator: CallerIdentity = { userId: 1_000_003, isAdmin: true };

/** Starts what reports need, for the tests of one file. */
export function useReportBed(): void {
  beforeAll(async () => {
    bed = await sharedBed();
  });

  beforeEach(async () => {
    [owner, sender] = await Promise.all([bed.newAccount(), bed.newAccount()]);
    // A browser of its own.
    sender.identity.visitorId = randomUUID();
  });
}

export const newVisitor = (): CallerIdentity => ({ visitorId: randomUUID(), ip: uniqueAddress() });

export const as = (identity: CallerIdentity, method: string, path: string, body?: unknown): Promise<Answer> =>
  bed.call(path.startsWith('/api/admin') ? 'admin' : 'messages', method, path, {
    identity,
    ...(body !== undefined && { body }),
  });

export const send = (from: CallerIdentity = sender.identity, to = owner.id, content = 'رسالة مؤذية') =>
  bed.sendMessage(to, { content }, { identity: from });

export async function report(
  messageId: number,
  by = owner.identity as CallerIdentity,
  reason = 'threat',
): Promise<number> {
  const { status, body } = await as(by, 'POST', '/api/reports', { messageId, reason });
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'open' } });
  return (body as { id: number }).id;
}

export const act = (id: number, action: string, by = administrator, more: object = {}): Promise<Answer> =>
  as(by, 'POST', `/api/admin/reports/${id}/actions`, { action, reason: 'سبب واضح', ...more });

export const idOf = ({ body }: Answer): number => (body as { id: number }).id;

export const undo = (actionId: number, by = otherAdministrator): Promise<Answer> =>
  as(by, 'POST', `/api/admin/actions/${actionId}/undo`, { reason: 'كان مزاحًا' });

export const queue = async (query = '', by = moderator) =>
  (await as(by, 'GET', `/api/admin/reports?limit=100${query}`)).body as Record<string, unknown>[];

export const row = async (id: number) => (await queue()).find((found) => found['id'] === id);

export const idsIn = async (path: string, { identity } = owner): Promise<number[]> =>
  ((await as(identity, 'GET', path)).body as { id: number }[]).map(({ id }) => id);

export const ownReports = async ({ identity } = owner) => (await as(identity, 'GET', '/api/reports')).body;

export async function publish(id: number): Promise<void> {
  expect((await as(owner.identity, 'PATCH', `/api/messages/${id}`, { isPublic: true })).status).toBe(200);
}
