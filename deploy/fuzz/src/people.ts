import type { Role } from '@najwa/proto/http/client';
import { PIXEL, type TestAccount, type TestSystem } from '@najwa/testing';

/** One per role, with a message if they have an inbox. */
export interface Person {
  role: Role;
  /** Undefined for a visitor. */
  cookie: string | undefined;
  userId: number;
  messageId: number;
}

const signUp = (system: TestSystem, role: Exclude<Role, 'visitor'>): Promise<TestAccount> =>
  role === 'user' ? system.newAccount() : system.newStaff(role === 'admin' ? 'administrator' : role);

/** A new person of a role. Fuzzing ends sessions and deletes accounts, so each may be needed more than once. */
export async function newPerson(system: TestSystem, role: Role): Promise<Person> {
  let account = { id: 0, cookie: '' };
  let messageId = 0;
  // The fuzzing may take all turns at the moment.
  await system.eventually(async () => {
    account = await signUp(system, role === 'visitor' ? 'user' : role);
  });
  await system.eventually(async () => {
    messageId = (await system.sendMessage(account.id, { imageUrl: PIXEL })).id;
  });
  const own = { cookie: account.cookie };
  await system.request('PATCH', `/api/messages/${messageId}`, { body: { isPublic: true }, ...own });
  await system.request('POST', '/api/reports', { body: { messageId, reason: 'threat' }, ...own });
  return { role, cookie: role === 'visitor' ? undefined : account.cookie, userId: account.id, messageId };
}

/** The headers with which the web client makes calls. */
export const headersOf = ({ cookie }: Person, { url }: TestSystem): Record<string, string> => ({
  origin: url,
  'x-requested-with': 'XMLHttpRequest',
  ...(cookie !== undefined && { cookie }),
});
