import type { TestSystem } from '@najwa/testing';

/** Creates an administrator and signs in. @returns the cookie */
export async function signInAsAdministrator(system: TestSystem, username: string): Promise<string> {
  const password = 'correct horse';
  const account = { username, password, name: 'سالم', email: `${username}@mail.example` };
  const created = await system.request('POST', '/api/admin/create', {
    body: { ...account, adminSecret: system.adminSecret },
  });
  if (created.status !== 201) throw new Error(`Creating the administrator failed with status ${created.status}.`);
  const { status, headers } = await system.request('POST', '/api/login', { body: { username, password } });
  if (status !== 200) throw new Error(`Signing in as administrator failed with status ${status}.`);
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** As `trackedIdsOf`, but through the gateway, as administrators read them. */
export async function trackedIdsThrough(system: TestSystem, cookie: string, recipientId: number): Promise<number[]> {
  const ids: number[] = [];
  let next: string | undefined = `/api/admin/sender-tracking?userId=${recipientId}&limit=100`;
  while (next !== undefined) {
    const answer = await system.request('GET', next, { cookie });
    if (answer.status !== 200) throw new Error(`Reading the tracking failed with status ${answer.status}.`);
    ids.push(...(answer.body as { messageId: number }[]).map(({ messageId }) => messageId));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return ids.sort((a, b) => a - b);
}
