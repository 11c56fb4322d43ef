import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  buildMessage,
  buildRegistration,
  PASSWORD,
  startTestBed,
  type BedAccount,
  type CallerIdentity,
  type TestBed,
} from '@najwa/dev-env';
import {
  buildRequest,
  OPERATION_IDS,
  ROUTES,
  type OperationId,
  type OperationOf,
  type RequestInput,
  type Role,
} from '@najwa/proto/http/client';

const ROLES: readonly Role[] = ['visitor', 'user', 'admin'];
const SERVICES = ['auth', 'messages'] as const;

/** Calls under test. Recordings need the media service; the voice message tests cover their roles. */
type Tried = Exclude<OperationOf<(typeof SERVICES)[number]>, 'uploadVoiceMessage'>;

const isTried = (id: OperationId): id is Tried =>
  SERVICES.some((service) => service === ROUTES[id].service) && ROUTES[id].body.kind !== 'form';

const CALLS = OPERATION_IDS.filter(isTried);

const mayCall = (id: Tried, role: Role): boolean => ROUTES[id].roles.some((allowed) => allowed === role);

let bed: TestBed;
let owner: BedAccount;
let stranger: BedAccount;
let messageId: number;

const ofOwner = () => ({ params: { id: messageId } });

/** Valid input of each call for records of the owner. */
const INPUTS: { [Id in Tried]: () => RequestInput<Id> } = {
  getCurrentUser: () => ({}),
  register: () => ({ body: { ...buildRegistration(), terms: true } }),
  login: () => ({ body: { username: owner.username, password: PASSWORD } }),
  logout: () => ({}),
  getAuthStatus: () => ({}),
  updateCurrentUser: () => ({ body: { bio: 'changed' } }),
  getPublicUser: () => ({ params: { username: owner.username } }),
  getUserById: () => ({ params: { id: owner.id } }),
  changePassword: () => ({ body: { currentPassword: PASSWORD, newPassword: 'another horse' } }),
  listSessions: () => ({}),
  endOtherSessions: () => ({}),
  endSession: () => ({ params: { id: owner.identity.sessionId } }),
  listMessages: () => ({}),
  createMessage: () => ({ body: buildMessage(owner.id) }),
  listSentMessages: () => ({}),
  getMessageStats: () => ({}),
  listPublicMessages: () => ({ params: { userId: owner.id } }),
  updateMessage: () => ({ ...ofOwner(), body: { isPublic: true } }),
  deleteMessage: ofOwner,
  createReply: () => ({ body: { messageId, content: 'ردّ' } }),
  getReply: () => ({ params: { messageId } }),
};

const identityOf = (role: Role, { identity }: BedAccount): CallerIdentity =>
  role === 'visitor' ? {} : { ...identity, isAdmin: role === 'admin' };

async function attempt<Id extends Tried>(id: Id, identity: CallerIdentity): Promise<number> {
  const { url, method, body } = buildRequest<OperationId>(id, INPUTS[id]() as RequestInput<OperationId>);
  const { status } = await bed.call(ROUTES[id].service, method, `/api${url}`, { identity, ...(body && { body }) });
  return status;
}

/** All data of the owner that a call could change. */
async function everythingOfOwner(): Promise<unknown> {
  const { identity } = owner;
  const read = async (service: (typeof SERVICES)[number], path: string): Promise<unknown> =>
    (await bed.call(service, 'GET', path, { identity })).body;
  const login = await bed.call('auth', 'POST', '/api/login', {
    body: { username: owner.username, password: PASSWORD },
  });
  const sessions = (await read('auth', '/api/sessions')) as { id: string }[];
  return {
    account: { ...((await read('auth', '/api/user')) as object), isOnline: undefined, lastOnline: undefined },
    hasSession: sessions.some(({ id }) => id === identity.sessionId),
    canSignIn: login.status === 200,
    inbox: await read('messages', '/api/messages'),
    stats: await read('messages', '/api/messages/stats'),
    sent: await read('messages', '/api/messages/sent'),
    reply: await read('messages', `/api/replies/${messageId}`),
    published: await read('messages', `/api/messages/public/${owner.id}`),
  };
}

const casesOf = (ids: readonly Tried[], isCase: (id: Tried, role: Role) => boolean) =>
  ids.flatMap((id) => ROLES.filter((role) => isCase(id, role)).map((role) => [role, id] as const));

beforeAll(async () => {
  bed = await startTestBed({ services: [...SERVICES], env: { RATE_LIMIT_SCALE: '0' } });
});

beforeEach(async () => {
  [owner, stranger] = await Promise.all([bed.newAccount(), bed.newAccount()]);
  ({ id: messageId } = await bed.sendMessage(owner.id));
});

afterAll(() => bed.stop());

describe('a role that may not make a call', () => {
  test.each(casesOf(CALLS, (id, role) => !mayCall(id, role)))(
    '%s: %s is refused and changes nothing',
    async (role, id) => {
      const before = await everythingOfOwner();
      expect(await attempt(id, identityOf(role, stranger))).toBe(role === 'visitor' ? 401 : 403);
      expect(await everythingOfOwner()).toEqual(before);
    },
  );
});

describe('a role that may make a call', () => {
  test.each(casesOf(CALLS, mayCall))('%s: %s succeeds', async (role, id) => {
    // A visitor may read the reply to a published message only.
    await attempt('updateMessage', owner.identity);
    expect([200, 201, 204]).toContain(await attempt(id, identityOf(role, role === 'visitor' ? stranger : owner)));
  });
});

describe("another account's things", () => {
  const ABOUT_A_THING: readonly Tried[] = ['endSession', 'updateMessage', 'deleteMessage', 'createReply', 'getReply'];

  test.each(casesOf(ABOUT_A_THING, mayCall))('are hidden from a %s at %s', async (role, id) => {
    const before = await everythingOfOwner();
    expect(await attempt(id, identityOf(role, stranger))).toBe(404);
    expect(await everythingOfOwner()).toEqual(before);
  });
});
