import { beforeAll, describe, expect, test } from '@jest/globals';
import type { OperationOf } from '@najwa/proto/http';
import { ROUTES } from '@najwa/proto/http/client';
import { sharedBed, type Bed } from '@najwa/testing';
import { administrator, newAdmin, readAudit, user, visitor } from './admin-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

type AdministratorsCall = Exclude<OperationOf<'admin'>, ModeratorsCall | 'createAdmin'>;

/** Those of administrators are covered by the authorization journey and messages' tests of reports. */
type ModeratorsCall =
  | 'listReportedMessages'
  | 'countReportedMessages'
  | 'listActions'
  | 'openReport'
  | 'openConversation'
  | 'actOnReport'
  | 'undoAction';

/** For an administrator. The compiler requires every call. */
const STATUSES: Record<AdministratorsCall, number> = {
  listSenderTracking: 200,
  listChatBotMessages: 200,
  deleteChatBotMessages: 200,
  deleteChatBotMessage: 404,
  listAudit: 200,
};

const CALLS = Object.entries(STATUSES).map(([id, status]) => {
  const { method, path } = ROUTES[id as AdministratorsCall];
  return [method, path.replace('{id}', '1'), status] as const;
});

describe.each(CALLS)('%s %s', (method, path, expected) => {
  test('refuses a visitor', async () => {
    expect(await bed.call('admin', method, path, { identity: visitor })).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
  });

  test('refuses a user', async () => {
    expect(await bed.call('admin', method, path, { identity: user })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
  });

  // Threat model: moderator-2.
  test('refuses a moderator', async () => {
    expect(await bed.call('admin', method, path, { identity: { ...user, isModerator: true } })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
  });

  test('answers an administrator', async () => {
    expect((await bed.call('admin', method, path, { identity: administrator })).status).toBe(expected);
  });

  // Threat model: http-1.
  test('refuses a request without an identity from the gateway', async () => {
    expect((await fetch(`${bed.url('admin')}${path}`, { method })).status).toBe(401);
  });
});

test.each([
  ['a visitor', visitor],
  ['a user', user],
  ['an administrator', administrator],
])('%s with the secret creates an administrator', async (_role, identity) => {
  expect((await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(bed), identity })).status).toBe(201);
  expect(
    await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(bed, { adminSecret: 'a guess' }), identity }),
  ).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
});

test('a call refused for its role leaves no entry in the audit log', async () => {
  const newest = async () => (await readAudit(bed, '?limit=1'))[0]?.id;
  const before = await newest();
  for (const [method, path] of CALLS) await bed.call('admin', method, path, { identity: user });
  expect(await newest()).toBe(before);
});
