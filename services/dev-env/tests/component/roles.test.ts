import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestBed, type CallerIdentity, type TestBed } from '@najwa/dev-env';
import { parse } from 'yaml';

type Role = 'visitor' | 'user' | 'admin';

interface Operation {
  operationId: string;
  tags: string[];
  'x-najwa-roles': Role[];
}

const ROLES: readonly Role[] = ['visitor', 'user', 'admin'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** The services whose calls are tried. */
const SERVICES = ['auth', 'messages'] as const;
type Service = (typeof SERVICES)[number];

const PASSWORD = 'correct horse';

const file = createRequire(import.meta.url).resolve('@najwa/proto/openapi.yaml');
const { paths } = parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> };

const calls = Object.entries(paths).flatMap(([template, operations]) =>
  Object.entries(operations)
    .filter(([method]) => METHODS.includes(method))
    .flatMap(([method, { operationId, tags, 'x-najwa-roles': roles }]) => {
      const service = SERVICES.find((name) => tags.includes(name));
      return service
        ? [
            {
              name: `${method.toUpperCase()} ${template}`,
              method: method.toUpperCase(),
              template,
              operationId,
              service,
              roles,
            },
          ]
        : [];
    }),
);
type Call = (typeof calls)[number];

const refused = calls.flatMap((call) =>
  ROLES.filter((role) => !call.roles.includes(role)).map((role) => [role, call.name, call] as const),
);
const allowed = calls.flatMap((call) => call.roles.map((role) => [role, call.name, call] as const));

interface Person {
  id: number;
  username: string;
  sessionId: string;
}

let bed: TestBed;
let owner: Person;
let stranger: Person;
let messageId: number;

async function newPerson(): Promise<Person> {
  const username = `u-${randomUUID().slice(0, 12)}`;
  const answer = await bed.call('auth', 'POST', '/api/register', {
    body: { name: 'نورة', username, password: PASSWORD, confirmPassword: PASSWORD, terms: true },
  });
  expect(answer.status).toBe(201);
  const token = /najwa_session=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1] ?? '';
  const { sessionId } = await bed.resolveSession(token);
  return { id: (answer.body as { id: number }).id, username, sessionId };
}

const identityOf = (role: Role, person: Person): CallerIdentity =>
  role === 'visitor' ? {} : { userId: person.id, sessionId: person.sessionId, isAdmin: role === 'admin' };

/** A body with which the call would do what it is for. */
function bodyOf({ operationId }: Call): unknown {
  const newAccount = {
    name: 'سارة',
    username: `u-${randomUUID().slice(0, 12)}`,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    terms: true,
  };
  const bodies: Record<string, unknown> = {
    register: newAccount,
    login: { username: owner.username, password: PASSWORD },
    updateUser: { bio: 'changed' },
    changePassword: { currentPassword: PASSWORD, newPassword: 'another horse' },
    sendMessage: { userId: owner.id, content: 'أخرى' },
    updateMessage: { isPublic: true },
    saveReply: { messageId, content: 'ردّ' },
  };
  return bodies[operationId] ?? {};
}

/** The call as it concerns the owner and what is theirs. */
async function attempt(call: Call, identity: CallerIdentity): Promise<number> {
  const path = call.template.replace(/\{(\w+)\}/g, (_whole, parameter: string) => {
    if (parameter === 'username') return owner.username;
    if (call.template.startsWith('/api/sessions/')) return owner.sessionId;
    return String(call.template.includes('/by-id/') || parameter === 'userId' ? owner.id : messageId);
  });
  const { status } = await bed.call(call.service, call.method, path, {
    identity,
    ...(['POST', 'PUT', 'PATCH'].includes(call.method) && { body: bodyOf(call) }),
  });
  return status;
}

/** Everything of the owner's that a call could change, as the owner sees it. */
async function everythingOfOwner(): Promise<unknown> {
  const identity = { userId: owner.id, sessionId: owner.sessionId };
  const read = async (service: Service, path: string): Promise<unknown> =>
    (await bed.call(service, 'GET', path, { identity })).body;
  const login = await bed.call('auth', 'POST', '/api/login', {
    body: { username: owner.username, password: PASSWORD },
  });
  const sessions = (await read('auth', '/api/sessions')) as { id: string }[];
  return {
    account: { ...((await read('auth', '/api/user')) as object), isOnline: undefined, lastOnline: undefined },
    hasSession: sessions.some(({ id }) => id === owner.sessionId),
    canSignIn: login.status === 200,
    inbox: await read('messages', '/api/messages'),
    stats: await read('messages', '/api/messages/stats'),
    sent: await read('messages', '/api/messages/sent'),
    reply: await read('messages', `/api/replies/${messageId}`),
    published: await read('messages', `/api/messages/public/${owner.id}`),
  };
}

beforeAll(async () => {
  bed = await startTestBed({ services: [...SERVICES], env: { RATE_LIMIT_SCALE: '0' } });
});

beforeEach(async () => {
  [owner, stranger] = await Promise.all([newPerson(), newPerson()]);
  const sent = await bed.call('messages', 'POST', '/api/messages', { body: { userId: owner.id, content: 'سرّ' } });
  expect(sent.status).toBe(201);
  messageId = (sent.body as { id: number }).id;
});

afterAll(() => bed.stop());

test('every documented call says who may make it', () => {
  for (const [template, operations] of Object.entries(paths)) {
    for (const [method, { 'x-najwa-roles': roles }] of Object.entries(operations).filter(([name]) =>
      METHODS.includes(name),
    )) {
      expect([template, method, roles]).toEqual([
        template,
        method,
        expect.arrayContaining([expect.stringMatching(/^(visitor|user|admin)$/)]),
      ]);
    }
  }
});

describe('who may not make a call', () => {
  test.each(refused)('%s is refused %s, and nothing changes', async (role, _name, call) => {
    const before = await everythingOfOwner();
    expect(await attempt(call, identityOf(role, stranger))).toBe(role === 'visitor' ? 401 : 403);
    expect(await everythingOfOwner()).toEqual(before);
  });
});

describe('who may make a call', () => {
  test.each(allowed)('%s is not refused %s for who they are', async (role, _name, call) => {
    expect([401, 403]).not.toContain(await attempt(call, identityOf(role, owner)));
  });
});

describe("another's things", () => {
  /** Calls that are about one message, session or reply of the owner's. */
  const ofOwner = calls.filter(
    ({ template, roles, operationId }) =>
      !roles.includes('visitor') && (template.includes('{') || operationId === 'saveReply'),
  );
  const cases = [...ofOwner, ...calls.filter(({ operationId }) => operationId === 'getReply')].flatMap((call) =>
    call.roles.map((role) => [role, call.name, call] as const),
  );

  test.each(cases)('do not exist for a %s at %s', async (role, _name, call) => {
    const before = await everythingOfOwner();
    expect(await attempt(call, identityOf(role, stranger))).toBe(404);
    expect(await everythingOfOwner()).toEqual(before);
  });
});
