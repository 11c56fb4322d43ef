import { createGrpcClient, unary } from '@najwa/common/grpc';
import { TrackingServiceClient, type TrackingRecord } from '@najwa/proto/tracking';
import type { TestAccount } from './factories.js';
import type { TestSystem } from './test-system.js';

export interface InboxMessage {
  id: number;
  content: string;
  imageUrl: string | null;
}

/** Oldest first, all pages. */
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

/** Ascending, duplicates included. */
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
  return records.map(({ messageId }) => messageId).sort((a, b) => a - b);
}
