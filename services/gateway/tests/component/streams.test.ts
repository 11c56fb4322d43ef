import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashSessionToken } from '@najwa/common/http';
import { create as createGateway, loadConfig } from '@najwa/gateway';
import { eventually } from '@najwa/testing';
import { startGatewayBed, tagOf, type GatewayBed } from '../support/bed.js';

const PATH = '/api/notifications/stream';

interface StreamEvent {
  event: string;
  data: unknown;
  id?: number;
}

interface Stream {
  response: Response;
  events: StreamEvent[];
  /** Everything that came, also comments. */
  text: () => string;
  isOver: () => boolean;
  close: () => void;
}

let bed: GatewayBed;
const open: Stream[] = [];

beforeEach(async () => {
  bed = await startGatewayBed();
});

afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await bed.stop();
});

function parse(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/) as [string, string]));
      const event = fields.get('event');
      const id = fields.get('id');
      // It may come at any time.
      return event === undefined || event === 'beat'
        ? []
        : [
            {
              event,
              data: JSON.parse(fields.get('data') ?? '') as unknown,
              ...(id !== undefined && { id: Number(id) }),
            },
          ];
    });
}

async function listen(
  headers: Record<string, string>,
  query = '',
  call: GatewayBed['fetch'] = bed.fetch,
): Promise<Stream> {
  const controller = new AbortController();
  const response = await call(`${PATH}${query}`, { headers, signal: controller.signal });
  let text = '';
  let isOver = false;
  const read = async (): Promise<void> => {
    const chunks = response.body as unknown as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const stream = {
    response,
    get events() {
      return parse(text);
    },
    text: () => text,
    isOver: () => isOver,
    close: () => controller.abort(),
  };
  open.push(stream);
  return stream;
}

const expectEvents = (stream: Stream, events: StreamEvent[]): Promise<void> =>
  eventually(() => expect(stream.events).toEqual(events));

const count = (unread: number): StreamEvent => ({ event: 'count', data: { unread } });
const notification = (id: number): StreamEvent => ({ event: 'notification', data: { id }, id });

async function create(id: number, account: string, furtherIds: number[] = []): Promise<void> {
  bed.notifications.ids.push(id, ...furtherIds);
  const value = { notificationId: id, furtherIds, account, kind: 'message' };
  await bed.publish({ $case: 'notificationCreated', value });
}

const state = (userId: number, id: number) => ({
  id,
  userId,
  content: 'secret text',
  isRead: false,
  isPublic: false,
  imageName: '',
  audioName: '',
  createdAt: new Date(),
  revision: 1,
});

describe('the stream of an account', () => {
  test('begins with the count, then has each notification with its id, also of a reply', async () => {
    const stream = await listen(bed.signIn().headers);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    await expectEvents(stream, [count(0)]);
    expect(stream.text()).toMatch(/^retry: \d+\n\n/);
    await create(1, '7');
    await expectEvents(stream, [count(0), notification(1), count(1)]);
    await create(2, tagOf(7));
    await expectEvents(stream, [count(0), notification(1), count(1), notification(2), count(2)]);
  });

  test('the stream of an account has every notification of those that came at the same time', async () => {
    const stream = await listen(bed.signIn().headers);
    await create(1, '7', [2, 3]);
    await expectEvents(stream, [count(0), notification(1), notification(2), notification(3), count(3)]);
  });

  test('the stream of an account has nothing of other accounts', async () => {
    const [stream, other] = [await listen(bed.signIn().headers), await listen(bed.signIn({ userId: 8 }).headers)];
    await create(1, '8');
    await bed.publish({ $case: 'messageCreated', value: { message: state(8, 5) } });
    await eventually(() => expect(other.events).toHaveLength(4));
    await bed.publish({ $case: 'notificationsRead', value: { userId: 7 } });
    await eventually(() => expect(stream.events).toHaveLength(2));
    expect(stream.events).toEqual([count(0), count(1)]);
  });

  // Threat model: owner-19.
  test('sends what changed in the inbox, without a text, and nothing that a sender does', async () => {
    const stream = await listen(bed.signIn().headers);
    const message = state(7, 5);
    await bed.publish({ $case: 'messageCreated', value: { message } });
    await bed.publish({ $case: 'messageSetAside', value: { message: state(7, 6) } });
    await bed.publish({ $case: 'messageUpdated', value: { message } });
    await bed.publish({ $case: 'messageUpdated', value: { message, changesInbox: true } });
    const deleted = { messageId: 5, userId: 7, revision: 3, imageName: '', audioName: '' };
    await bed.publish({ $case: 'messageDeleted', value: deleted });
    await expectEvents(stream, [
      count(0),
      ...['created', 'updated', 'deleted'].map((change) => ({ event: 'message', data: { messageId: 5, change } })),
    ]);
    expect(stream.text()).not.toContain('secret');
  });

  test('resumes after the last id, at another gateway too', async () => {
    bed.notifications.ids = [1, 2, 3];
    const { headers } = bed.signIn();
    const stream = await listen({ ...headers, 'last-event-id': '1' });
    await expectEvents(stream, [notification(2), notification(3), count(3)]);
    // Clients of a stopping gateway reconnect to another one.
    await bed.gateway.stop();
    await eventually(() => expect(stream.isOver()).toBe(true));
    bed.notifications.ids.push(4);
    const second = await createGateway(loadConfig(bed.environment));
    await second.start();
    const origin = `http://127.0.0.1:${second.ports().http}`;
    const resumed = await listen({ ...headers, 'last-event-id': '3' }, '', (path, init) =>
      fetch(`${origin}${path}`, init),
    );
    await expectEvents(resumed, [notification(4), count(4)]);
    resumed.close();
    await second.stop();
  });

  test('a stream ends with its session, and others of the account go on', async () => {
    const [ended, kept] = [bed.signIn(), bed.signIn()];
    const [first, second] = [await listen(ended.headers), await listen(kept.headers)];
    bed.sessions.delete(hashSessionToken(ended.token).toString('hex'));
    await bed.publish({ $case: 'sessionEnded', value: { tokenHash: hashSessionToken(ended.token) } });
    await eventually(() => expect(first.isOver()).toBe(true));
    expect((await listen(ended.headers)).response.status).toBe(401);
    await create(1, '7');
    await expectEvents(second, [count(0), notification(1), count(1)]);
  });

  // Threat model: gateway-6.
  test('streams end in every session when the account is closed, and those of others go on', async () => {
    const [here, elsewhere, other] = [bed.signIn(), bed.signIn(), bed.signIn({ userId: 8 })];
    const streams = [await listen(here.headers), await listen(elsewhere.headers)];
    const kept = await listen(other.headers);
    for (const [key, session] of bed.sessions)
      if (session.userId === 7) bed.sessions.set(key, { ...session, isLeaving: true });
    await bed.publish({ $case: 'accountDeletionRequested', value: { userId: 7, deletesAt: new Date() } });
    await eventually(() => expect(streams.map((stream) => stream.isOver())).toEqual([true, true]));
    expect((await listen(here.headers)).response.status).toBe(403);
    await create(1, '8');
    await expectEvents(kept, [count(0), notification(1), count(1)]);
  });

  test('a stream ends if its notifications cannot be read, so that its client connects again and misses none', async () => {
    const { headers } = bed.signIn();
    const stream = await listen(headers);
    await create(1, '7');
    await expectEvents(stream, [count(0), notification(1), count(1)]);
    bed.notifications.isDown = true;
    await create(2, '7');
    await eventually(() => expect(stream.isOver()).toBe(true));
    expect((await listen(headers)).response.status).toBe(503);
    bed.notifications.isDown = false;
    await expectEvents(await listen({ ...headers, 'last-event-id': '1' }), [notification(2), count(2)]);
  });

  test('the stream of an account requires a session', async () => {
    const { response } = await listen({});
    expect(response.status).toBe(401);
    expect((await listen(bed.signIn({ isLeaving: true }).headers)).response.status).toBe(403);
    expect((await bed.fetch(PATH, { method: 'POST', headers: { 'x-requested-with': 'x' } })).status).toBe(404);
  });
});

// Threat model: sender-8.
test('the stream of a way back sends the reply, and what ends it, but not reading', async () => {
  bed.notifications.messageId = 5;
  const stream = await listen({}, '?wayBack=way-back');
  expect(stream.response.status).toBe(200);
  await bed.publish({ $case: 'messageUpdated', value: { message: state(7, 5), changesInbox: true } });
  await bed.publish({ $case: 'replySaved', value: { messageId: 6, userId: 7 } });
  await bed.publish({ $case: 'replySaved', value: { messageId: 5, userId: 7 } });
  await bed.publish({ $case: 'messageUpdated', value: { message: state(7, 9), changesInbox: true, endedSentId: 5 } });
  const deleted = { messageId: 5, userId: 7, revision: 3, imageName: '', audioName: '' };
  await bed.publish({ $case: 'messageDeleted', value: deleted });
  await expectEvents(
    stream,
    ['updated', 'updated', 'deleted'].map((change) => ({ event: 'message', data: { messageId: null, change } })),
  );
  const unknown = await listen({}, '?wayBack=another');
  expect(unknown.response.status).toBe(404);
  // By which messages limits guesses.
  expect(bed.notifications.networks).toEqual(['127.0.0.1', '127.0.0.1']);
});

// Threat model: gateway-15.
test('streams are bounded by account and by network, and take no place of other requests', async () => {
  const bounded = await startGatewayBed({ MAX_REQUESTS: '3/3', MAX_STREAMS: '20/18', RATE_LIMIT_SCALE: '1' });
  try {
    const statusOf = async (headers: Record<string, string>) =>
      (await listen(headers, '', bounded.fetch)).response.status;
    const [one, other] = [bounded.signIn(), bounded.signIn({ userId: 8 })];
    for (let count = 0; count < 16; count += 1) expect(await statusOf(one.headers)).toBe(200);
    expect(await statusOf(one.headers)).toBe(429);
    expect([await statusOf(other.headers), await statusOf(other.headers)]).toEqual([200, 200]);
    expect(await statusOf(other.headers)).toBe(429);
    expect((await bounded.fetch('/api/auth-status', { headers: one.headers })).status).toBe(200);
    open.splice(0).forEach((stream) => stream.close());
    await eventually(async () => expect(await statusOf(one.headers)).toBe(200));
  } finally {
    open.splice(0).forEach((stream) => stream.close());
    await bounded.stop();
  }
});
