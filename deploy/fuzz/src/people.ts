import type { Role } from '@najwa/proto/http/client';
import { buildRegistration, PASSWORD, PIXEL, type TestSystem } from '@najwa/testing';

/** Somebody of each role, with a message for those who have an inbox. */
export interface Person {
  role: Role;
  /** Undefined for a visitor. */
  cookie: string | undefined;
  userId: number;
  messageId: number;
}

async function signUp(system: TestSystem, role: Exclude<Role, 'visitor'>): Promise<{ id: number; cookie: string }> {
  if (role === 'user') return system.newAccount();
  const { username, name, password } = buildRegistration();
  const body = { username, name, password, email: `${username}@mail.example`, adminSecret: system.adminSecret };
  const created = await system.request('POST', '/api/admin/create', {
    body: { ...body, role: role === 'admin' ? 'administrator' : role },
  });
  if (created.status !== 201) throw new Error(`Creating the ${role} failed with status ${created.status}.`);
  const { status, headers } = await system.request('POST', '/api/login', { body: { username, password: PASSWORD } });
  if (status !== 200) throw new Error(`Signing in as ${role} failed with status ${status}.`);
  const cookie = headers.getSetCookie().map((line) => line.split(';')[0]);
  return { id: (created.body as { id: number }).id, cookie: cookie.join('; ') };
}

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
