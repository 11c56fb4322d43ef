import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MessageDeleted, MessageState, ReplySaved, UserCreated, UserUpdated } from '@najwa/proto/events';
import { eventually } from '@najwa/dev-env';
import { startWorld, type World } from '../support/world.js';

/** What is remembered lapses after five seconds by itself. */
const BEFORE_IT_LAPSES_MS = 4_000;

let world: World;
/** What the services would say now. */
const profiles = new Map<string, object>();
let messages: object[] = [];

beforeAll(async () => {
  world = await startWorld();
  world.upstreams.auth.answer((request, response) => {
    const profile = profiles.get(request.url?.split('/').at(-1) ?? '');
    response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Cache-Control', 'no-store');
    response
      .writeHead(profile ? 200 : 404)
      .end(JSON.stringify(profile ?? { message: 'User not found', code: 'user_not_found' }));
  });
  world.upstreams.messages.answer((_request, response) => {
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('X-Total-Count', messages.length)
      .setHeader('Link', '</next>; rel="next"')
      .end(JSON.stringify(messages));
  });
});
afterAll(() => world.stop());
beforeEach(() => {
  for (const { seen } of Object.values(world.upstreams)) seen.length = 0;
});

const read = async (path: string): Promise<unknown> => (await world.fetch(path)).json();
const asked = (service: 'auth' | 'messages') => world.upstreams[service].seen.map(({ url }) => url);
const state = (userId: number): MessageState =>
  MessageState.fromPartial({ id: 1, userId, isPublic: true, createdAt: new Date(), revision: 2 });

describe('a public profile', () => {
  test("is fetched once, on nobody's behalf, for everybody who asks in any capitals", async () => {
    profiles.set('layla', { id: 1, name: 'ليلى' });
    const cookie = `najwa_session=${'x'.repeat(43)}`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        world.fetch(index % 2 ? '/api/users/layla' : '/api/users/Layla', index % 3 ? {} : { headers: { cookie } }),
      ),
    );
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(Array(100).fill({ id: 1, name: 'ليلى' }));
    expect(await read('/api/users/LAYLA')).toEqual({ id: 1, name: 'ليلى' });
    expect(asked('auth')).toEqual(['/api/users/layla']);
    expect(await world.identityOf(world.upstreams.auth.seen[0])).toMatchObject({ user: null, ip: '' });
    expect(world.resolutions()).toBe(0);
  });

  test('is confirmed to who has it already', async () => {
    profiles.set('rana', { id: 2 });
    const first = await world.fetch('/api/users/rana');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.getSetCookie()).toEqual([]);
    const etag = first.headers.get('etag') ?? '';
    const again = await world.fetch('/api/users/rana', { headers: { 'if-none-match': `W/${etag}` } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await world.fetch('/api/users/rana', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('is told by a HEAD without its body', async () => {
    profiles.set('huda', { id: 3 });
    const [get, head] = [
      await world.fetch('/api/users/huda'),
      await world.fetch('/api/users/huda', { method: 'HEAD' }),
    ];
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      get.headers.get('etag'),
      '8',
      '',
    ]);
  });

  test('has the headers of every answer as data', async () => {
    profiles.set('noor', { id: 4 });
    for (const answer of [await world.fetch('/api/users/noor'), await world.fetch('/api/users/noor')]) {
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
  });

  test('is new as soon as it has changed', async () => {
    profiles.set('dina', { id: 5, bio: 'old' });
    expect(await read('/api/users/dina')).toEqual({ id: 5, bio: 'old' });
    profiles.set('dina', { id: 5, bio: 'new' });
    await world.publish({ $case: 'userUpdated', value: UserUpdated.fromPartial({ userId: 5, username: 'Dina' }) });
    await eventually(
      async () => expect(await read('/api/users/dina')).toEqual({ id: 5, bio: 'new' }),
      BEFORE_IT_LAPSES_MS,
    );
  });

  test('appears as soon as there is one', async () => {
    expect((await world.fetch('/api/users/sami')).status).toBe(404);
    profiles.set('sami', { id: 6 });
    await world.publish({ $case: 'userCreated', value: UserCreated.fromPartial({ userId: 6 }) });
    await eventually(async () => expect((await world.fetch('/api/users/sami')).status).toBe(200), 900);
  });

  test('that changes while it is fetched is not remembered as it was', async () => {
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    profiles.set('maha', { id: 7, bio: 'old' });
    world.upstreams.auth.answer(async (_request, response) => {
      const profile = profiles.get('maha');
      await opened;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(profile));
    });
    const slow = read('/api/users/maha');
    await eventually(() => expect(asked('auth')).toHaveLength(1));
    profiles.set('maha', { id: 7, bio: 'new' });
    await world.publish({ $case: 'userUpdated', value: UserUpdated.fromPartial({ userId: 7, username: 'maha' }) });
    // A question of its own, and no longer part of the first one, once the event has arrived.
    await eventually(() => {
      void read('/api/users/maha').catch(() => undefined);
      expect(asked('auth').length).toBeGreaterThan(1);
    });
    gate.open?.();
    expect(await slow).toEqual({ id: 7, bio: 'old' });
    expect(await read('/api/users/maha')).toEqual({ id: 7, bio: 'new' });
  });
});

describe('published messages', () => {
  test('are remembered page by page, with their headers', async () => {
    messages = [{ id: 1 }];
    for (const path of [
      '/api/messages/public/20',
      '/api/messages/public/20?limit=2&before=9',
      '/api/messages/public/20?before=9&limit=2',
    ]) {
      const answer = await world.fetch(path);
      expect([answer.headers.get('x-total-count'), answer.headers.get('link'), await answer.json()]).toEqual([
        '1',
        '</next>; rel="next"',
        [{ id: 1 }],
      ]);
    }
    expect(asked('messages')).toEqual(['/api/messages/public/20', '/api/messages/public/20?before=9&limit=2']);
  });

  test('that nobody can page through are asked for each time', async () => {
    await read('/api/messages/public/21?limit=x');
    await read('/api/messages/public/21?limit=x');
    expect(asked('messages')).toEqual(['/api/messages/public/21?limit=x', '/api/messages/public/21?limit=x']);
  });

  test.each([
    ['published', () => world.publish({ $case: 'messageUpdated', value: { message: state(22) } })],
    [
      'deleted',
      () =>
        world.publish({
          $case: 'messageDeleted',
          value: MessageDeleted.fromPartial({ messageId: 1, userId: 22, revision: 3 }),
        }),
    ],
    [
      'answered',
      () => world.publish({ $case: 'replySaved', value: ReplySaved.fromPartial({ messageId: 1, userId: 22 }) }),
    ],
  ])('are new as soon as one is %s', async (title, publish) => {
    messages = [];
    await publish();
    await eventually(
      async () => expect(await read('/api/messages/public/22?limit=3')).toEqual([]),
      BEFORE_IT_LAPSES_MS,
    );
    messages = [{ title }];
    await publish();
    await eventually(
      async () => expect(await read('/api/messages/public/22?limit=3')).toEqual([{ title }]),
      BEFORE_IT_LAPSES_MS,
    );
  });
});

test('what goes wrong is passed on and not remembered', async () => {
  world.upstreams.messages.answer((_request, response) => {
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"message":"m","code":"invalid_input"}');
  });
  expect((await world.fetch('/api/messages/public/30')).status).toBe(422);
  messages = [{ id: 2 }];
  world.upstreams.messages.answer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(messages));
  });
  expect(await read('/api/messages/public/30')).toEqual([{ id: 2 }]);
});

test('while the service is away, it is told, and not remembered', async () => {
  await world.upstreams.messages.close();
  const response = await world.fetch('/api/messages/public/40');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await response.json()).toEqual({ message: expect.any(String), code: 'unavailable' });
});
