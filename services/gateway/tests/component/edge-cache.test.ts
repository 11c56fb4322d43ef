import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MessageDeleted, MessageState, ReplySaved, UserCreated, UserUpdated } from '@najwa/proto/events';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
/** Current answers of the services. */
const profiles = new Map<string, object>();
let messages: object[] = [];

beforeAll(async () => {
  bed = await startGatewayBed();
  bed.upstreams.auth.answer((request, response) => {
    const profile = profiles.get(request.url?.split('/').at(-1) ?? '');
    response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Cache-Control', 'no-store');
    response
      .writeHead(profile ? 200 : 404)
      .end(JSON.stringify(profile ?? { message: 'User not found', code: 'user_not_found' }));
  });
  bed.upstreams.messages.answer((_request, response) => {
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('X-Total-Count', messages.length)
      .setHeader('Link', '</next>; rel="next"')
      .end(JSON.stringify(messages));
  });
});
afterAll(() => bed.stop());
beforeEach(() => {
  for (const { seen } of Object.values(bed.upstreams)) seen.length = 0;
});

const read = async (path: string): Promise<unknown> => (await bed.fetch(path)).json();
const fetched = (service: 'auth' | 'messages') => bed.upstreams[service].seen.map(({ url }) => url);
const state = (userId: number): MessageState =>
  MessageState.fromJSON({ id: 1, userId, isPublic: true, createdAt: new Date(), revision: 2 });

describe('a public profile', () => {
  test('a public profile is fetched once for all callers, in upper or lower case', async () => {
    profiles.set('layla', { id: 1, name: 'ليلى' });
    const cookie = `najwa_session=${'x'.repeat(43)}`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        bed.fetch(index % 2 ? '/api/users/layla' : '/api/users/Layla', index % 3 ? {} : { headers: { cookie } }),
      ),
    );
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(Array(100).fill({ id: 1, name: 'ليلى' }));
    expect(await read('/api/users/LAYLA')).toEqual({ id: 1, name: 'ليلى' });
    expect(fetched('auth')).toEqual(['/api/users/layla']);
    expect(await bed.identityOf(bed.upstreams.auth.seen[0])).toMatchObject({ user: null, ip: '' });
    expect(bed.resolutions()).toBe(0);
  });

  test('a public profile is 304 for clients with a matching ETag', async () => {
    profiles.set('rana', { id: 2 });
    const first = await bed.fetch('/api/users/rana');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.getSetCookie()).toEqual([]);
    const etag = first.headers.get('etag') ?? '';
    const again = await bed.fetch('/api/users/rana', { headers: { 'if-none-match': `W/${etag}` } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await bed.fetch('/api/users/rana', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('a public profile is compressed from a kilobyte on, with an ETag of its own, for clients that accept it', async () => {
    profiles.set('salma', { id: 30, bio: 'سلمى '.repeat(300) });
    profiles.set('short', { id: 31, bio: 'س'.repeat(300) });
    const get = (name: string, headers: Record<string, string>) => bed.fetch(`/api/users/${name}`, { headers });
    // The first answer comes through the pipeline, the second from the cache.
    const [fetched, gzipped, plain, refused] = [
      await get('salma', { 'accept-encoding': 'gzip' }),
      await get('salma', { 'accept-encoding': 'br;q=0, gzip' }),
      await get('salma', { 'accept-encoding': 'identity' }),
      await get('salma', { 'accept-encoding': 'gzip;q=0' }),
    ];
    const encodings = [fetched, gzipped, plain, refused].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual(['gzip', 'gzip', null, null]);
    const lengths = [fetched, gzipped, plain].map(({ headers }) => Number(headers.get('content-length')));
    expect(lengths[0]).toBe(lengths[1]);
    expect(lengths[0]).toBeLessThan((lengths[2] ?? 0) / 10);
    for (const answer of [fetched, gzipped, plain]) {
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.json()).toEqual(profiles.get('salma'));
    }

    const tags = [gzipped, plain].map(({ headers }) => headers.get('etag') ?? '');
    expect(tags[0]).not.toBe(tags[1]);
    for (const [index, encoding] of ['gzip', 'identity'].entries()) {
      const statuses = tags.map(async (tag) => {
        const again = await get('salma', { 'accept-encoding': encoding, 'if-none-match': tag });
        return again.status;
      });
      expect(await Promise.all(statuses)).toEqual(index === 0 ? [304, 200] : [200, 304]);
    }
    const short = await get('short', { 'accept-encoding': 'gzip' });
    expect([short.headers.get('content-encoding'), short.headers.get('vary')]).toEqual([null, null]);
  });

  test('a public profile answers a HEAD without its body', async () => {
    profiles.set('huda', { id: 3 });
    const [get, head] = [await bed.fetch('/api/users/huda'), await bed.fetch('/api/users/huda', { method: 'HEAD' })];
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      get.headers.get('etag'),
      '8',
      '',
    ]);
  });

  test('a public profile has the headers of every JSON answer', async () => {
    profiles.set('noor', { id: 4 });
    for (const answer of [await bed.fetch('/api/users/noor'), await bed.fetch('/api/users/noor')]) {
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
  });

  test('a public profile is fetched again as soon as it has changed', async () => {
    profiles.set('dina', { id: 5, bio: 'old' });
    expect(await read('/api/users/dina')).toEqual({ id: 5, bio: 'old' });
    profiles.set('dina', { id: 5, bio: 'new' });
    await bed.publish({
      $case: 'userUpdated',
      value: UserUpdated.fromJSON({ userId: 5, username: 'Dina', changesPublic: true }),
    });
    await eventually(async () => expect(await read('/api/users/dina')).toEqual({ id: 5, bio: 'new' }));
  });

  test('appears as soon as it is created', async () => {
    expect((await bed.fetch('/api/users/sami')).status).toBe(404);
    profiles.set('sami', { id: 6 });
    await bed.publish({ $case: 'userCreated', value: UserCreated.fromJSON({ userId: 6 }) });
    await eventually(async () => expect((await bed.fetch('/api/users/sami')).status).toBe(200));
  });

  test('a public profile that changes during a fetch is not cached in its old state', async () => {
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    profiles.set('maha', { id: 7, bio: 'old' });
    bed.upstreams.auth.answer(async (_request, response) => {
      const profile = profiles.get('maha');
      await opened;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(profile));
    });
    const slow = read('/api/users/maha');
    await eventually(() => expect(fetched('auth')).toHaveLength(1));
    profiles.set('maha', { id: 7, bio: 'new' });
    await bed.publish({
      $case: 'userUpdated',
      value: UserUpdated.fromJSON({ userId: 7, username: 'maha', changesPublic: true }),
    });
    // After the event, requests no longer share the first fetch.
    await eventually(() => {
      void read('/api/users/maha').catch(() => undefined);
      expect(fetched('auth').length).toBeGreaterThan(1);
    });
    gate.open?.();
    expect(await slow).toEqual({ id: 7, bio: 'old' });
    expect(await read('/api/users/maha')).toEqual({ id: 7, bio: 'new' });
  });
});

describe('published messages', () => {
  test('published messages are cached page by page, with their headers', async () => {
    messages = [{ id: 1 }];
    for (const path of [
      '/api/messages/public/20',
      '/api/messages/public/20?limit=2&before=9',
      '/api/messages/public/20?before=9&limit=2',
    ]) {
      const answer = await bed.fetch(path);
      expect([answer.headers.get('x-total-count'), answer.headers.get('link'), await answer.json()]).toEqual([
        '1',
        '</next>; rel="next"',
        [{ id: 1 }],
      ]);
    }
    expect(fetched('messages')).toEqual(['/api/messages/public/20', '/api/messages/public/20?before=9&limit=2']);
  });

  test('published messages with an unknown query are fetched each time', async () => {
    await read('/api/messages/public/21?limit=x');
    await read('/api/messages/public/21?limit=x');
    expect(fetched('messages')).toEqual(['/api/messages/public/21?limit=x', '/api/messages/public/21?limit=x']);
  });

  const changesPublic = true;
  test.each([
    ['published', () => bed.publish({ $case: 'messageUpdated', value: { message: state(22), changesPublic } })],
    [
      'deleted',
      () =>
        bed.publish({
          $case: 'messageDeleted',
          value: MessageDeleted.fromJSON({ messageId: 1, userId: 22, revision: 3, changesPublic }),
        }),
    ],
    [
      'answered',
      () =>
        bed.publish({ $case: 'replySaved', value: ReplySaved.fromJSON({ messageId: 1, userId: 22, changesPublic }) }),
    ],
  ])('published messages are fetched again as soon as one is %s', async (title, publish) => {
    messages = [];
    await publish();
    await eventually(async () => expect(await read('/api/messages/public/22?limit=3')).toEqual([]));
    messages = [{ title }];
    await publish();
    await eventually(async () => expect(await read('/api/messages/public/22?limit=3')).toEqual([{ title }]));
  });

  // Threat model: visitor-3.
  test('published messages are not fetched again for anything private, which would show when it happened', async () => {
    const path = '/api/messages/public/23?limit=3';
    profiles.set('muna', { id: 23 });
    messages = [];
    await read('/api/users/muna');
    await read(path);
    messages = [{ id: 4 }];
    const at = { messageId: 1, userId: 23, changesPublic: false };
    await bed.publish({
      $case: 'messageUpdated',
      value: { message: state(23), changesInbox: true, changesPublic: false },
    });
    await bed.publish({ $case: 'messageDeleted', value: MessageDeleted.fromJSON({ ...at, revision: 3 }) });
    await bed.publish({ $case: 'replySaved', value: ReplySaved.fromJSON(at) });
    await bed.publish({ $case: 'userUpdated', value: UserUpdated.fromJSON({ userId: 23, changesPublic: false }) });
    // Events are ordered, so earlier ones have been handled too.
    await read('/api/messages/public/24?limit=3');
    messages = [{ id: 5 }];
    await bed.publish({ $case: 'messageUpdated', value: { message: state(24), changesPublic } });
    await eventually(async () => expect(await read('/api/messages/public/24?limit=3')).toEqual([{ id: 5 }]));
    expect(await read(path)).toEqual([]);
    await read('/api/users/muna');
    expect(fetched('auth')).toEqual(['/api/users/muna']);
  });
});

test('errors are passed on and not cached', async () => {
  bed.upstreams.messages.answer((_request, response) => {
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"message":"m","code":"invalid_input"}');
  });
  expect((await bed.fetch('/api/messages/public/30')).status).toBe(422);
  messages = [{ id: 2 }];
  bed.upstreams.messages.answer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(messages));
  });
  expect(await read('/api/messages/public/30')).toEqual([{ id: 2 }]);
});

test('answers unavailable, uncached, while the service is down', async () => {
  await bed.upstreams.messages.close();
  const response = await bed.fetch('/api/messages/public/40');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await response.json()).toEqual({ message: expect.any(String), code: 'unavailable' });
});
