import { createGrpcClient, unary } from '@najwa/common';
import type { TestAccount, TestSystem } from '@najwa/dev-env';
import { TrackingServiceClient, type TrackingRecord } from '@najwa/proto/tracking';

export interface InboxMessage {
  id: number;
  content: string;
  imageUrl: string | null;
}

const ascending = (a: number, b: number): number => a - b;

/** Every message of an inbox, oldest first, page by page. */
export async function inboxOf(system: TestSystem, { cookie }: Pick<TestAccount, 'cookie'>): Promise<InboxMessage[]> {
  const messages: InboxMessage[] = [];
  let next: string | undefined = '/api/messages?sort=oldest&limit=100';
  while (next !== undefined) {
    const answer = await system.request('GET', next, { cookie });
    if (answer.status !== 200) throw new Error(`Reading the inbox failed with status ${answer.status}.`);
    messages.push(...(answer.body as InboxMessage[]));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return messages;
}

/** Ids of tracked messages to a recipient, ascending, including duplicates. */
export async function trackedIdsOf(system: TestSystem, recipientId: number): Promise<number[]> {
  const client = createGrpcClient(TrackingServiceClient, system.grpcOf('tracking'), system.callerOf('admin'));
  const list = unary(client.listTracking.bind(client));
  const records: TrackingRecord[] = [];
  try {
    let before = 0;
    do {
      const page = await list({ before, limit: 100, recipientId, text: '' });
      records.push(...page.records);
      before = page.nextBefore;
    } while (before !== 0);
  } finally {
    client.close();
  }
  return records.map(({ messageId }) => messageId).sort(ascending);
}

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
  return ids.sort(ascending);
}
