import type { TestSystem } from '@najwa/testing';

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
