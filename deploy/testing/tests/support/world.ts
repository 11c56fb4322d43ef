import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import type { Role } from '@najwa/proto/http/client';
import {
  accountFrom,
  buildRegistration,
  PASSWORD,
  PIXEL,
  type SentMessage,
  type TestAccount,
  type TestSystem,
} from '@najwa/testing';

/** The required part of a system. */
export type Site = Pick<TestSystem, 'request' | 'newAccount' | 'newStaff' | 'sendMessage' | 'eventually' | 'callerOf'>;

/** All kinds of callers, with their roles in the contract. */
export const CALLERS = {
  visitor: 'visitor',
  stranger: 'user',
  sender: 'user',
  recipient: 'user',
  suspended: 'user',
  moderator: 'moderator',
  administrator: 'admin',
  endedSession: 'visitor',
  forgedToken: 'visitor',
  tokenOfService: 'visitor',
} as const satisfies Record<string, Role>;

export type Caller = keyof typeof CALLERS;

/** A caller, identified to the gateway by `headers` alone. */
export interface Person {
  account?: TestAccount;
  headers: Record<string, string>;
}

export type People = Record<Exclude<Caller, 'recipient'>, Person>;

/** Object of a call: a private or public one of the recipient, or a missing one. */
export type Thing = 'none' | 'private' | 'public' | 'absent';

/** Things of a recipient. */
export interface World {
  recipient: Required<Person>;
  sessionId: string;
  /** Sent by the account `sender`; the private one has a picture. */
  message: { private: SentMessage; public: SentMessage };
  blockId: number;
  promptId: number;
  /** An open report. */
  reportId: number;
  exportId: number;
  pushId: string;
  /** An action of another administrator. */
  actionId: number;
}

/** Without this cookie, browsers at one address are one visitor, and blocked together. */
const newVisitorCookie = (): string => `najwa_visitor=${randomBytes(16).toString('base64url')}`;

const personOf = (account: TestAccount): Required<Person> => ({
  account,
  headers: { cookie: `${account.cookie}; ${newVisitorCookie()}` },
});

/** @throws unless the call succeeds */
async function succeed<Body = unknown>(
  system: Site,
  { headers }: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const answer = await system.request(method, path, { headers, body });
  if (answer.status >= 300)
    throw new Error(`${method} ${path} failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}

/** For `POST /api/admin/create`, without the secret. */
export function newStaffBody() {
  const { username, name, password } = buildRegistration();
  return { username, name, password, email: `${username}@mail.example` };
}

/** Signed in. */
export const newStaff = async (system: Site, role: 'moderator' | 'administrator'): Promise<Required<Person>> =>
  personOf(await system.newStaff(role));

/** Opens one more session of an account. */
export async function signIn(system: Site, username: string): Promise<Required<Person>> {
  const body = { username, password: PASSWORD };
  return personOf(accountFrom(await system.request('POST', '/api/login', { body }), PASSWORD));
}

export const newPerson = async (system: Site): Promise<Required<Person>> => personOf(await system.newAccount());

/** In a visitor's browser, which keeps its cookie. */
export async function registerAs(system: Site, { headers }: Person): Promise<Required<Person>> {
  const account = await system.newAccount({}, { headers });
  return { account, headers: { cookie: `${account.cookie}; ${headers['cookie']}` } };
}

/** @returns the report's id in the queue */
const report = async (system: Site, recipient: Person, messageId: number): Promise<number> =>
  (await succeed<{ id: number }>(system, recipient, 'POST', '/api/reports', { messageId, reason: 'threat' })).id;

export interface Cast {
  people: People;
  /** Acts on reports, so that `administrator` is a different account. */
  judge: Person;
}

export async function createCast(system: Site): Promise<Cast> {
  const [stranger, sender, suspended, ended] = await Promise.all(Array.from({ length: 4 }, () => newPerson(system)));
  const [moderator, administrator, judge] = await Promise.all([
    newStaff(system, 'moderator'),
    newStaff(system, 'administrator'),
    newStaff(system, 'administrator'),
  ]);
  if (!stranger || !sender || !suspended || !ended) throw new Error('An account is missing.');
  await succeed(system, ended, 'POST', '/api/logout');
  const { id } = await system.sendMessage(stranger.account.id, {}, { cookie: suspended.account.cookie });
  const reportId = await report(system, stranger, id);
  const suspension = { action: 'suspend', reason: 'تهديد صريح', days: 7 };
  await succeed(system, judge, 'POST', `/api/admin/reports/${reportId}/actions`, suspension);
  const token = await system.callerOf('messages').tokenFor('najwa.auth.v1.AuthService');
  return {
    judge,
    people: {
      visitor: { headers: {} },
      stranger,
      sender,
      suspended,
      moderator,
      administrator,
      endedSession: { headers: { cookie: ended.account.cookie } },
      forgedToken: { headers: { cookie: `najwa_session=${randomBytes(32).toString('base64url')}` } },
      tokenOfService: {
        headers: { cookie: `najwa_session=${token}`, authorization: `Bearer ${token}`, [IDENTITY_HEADER]: token },
      },
    },
  };
}

/** For `POST /api/push/subscriptions`, with a new browser. */
export const newPushSubscription = () => ({
  subscription: {
    endpoint: `https://push.example/${randomUUID()}`,
    keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) },
  },
  kinds: [],
});

/** One is published. */
export async function newMessages(
  system: Site,
  { headers }: Person,
  recipient: Required<Person>,
): Promise<World['message']> {
  const send = (content: string) => system.sendMessage(recipient.account.id, { content, imageUrl: PIXEL }, { headers });
  const message = { private: await send('لك وحدك'), public: await send('للجميع') };
  await succeed(system, recipient, 'PATCH', `/api/messages/${message.public.id}`, { isPublic: true });
  return message;
}

/** The id of an open report. */
export async function newReport(system: Site, { headers }: Person, recipient: Required<Person>): Promise<number> {
  const { id } = await system.sendMessage(recipient.account.id, { content: 'سأجدك' }, { headers });
  return report(system, recipient, id);
}

/** The id of one more session. */
export async function newSession(system: Site, { account }: Required<Person>): Promise<string> {
  const person = await signIn(system, account.username);
  const sessions = await succeed<{ id: string; isCurrent: boolean }[]>(system, person, 'GET', '/api/sessions');
  return sessions.find(({ isCurrent }) => isCurrent)?.id ?? '';
}

/** The id of a push subscription. */
export const newPush = async (system: Site, recipient: Person): Promise<string> =>
  (await succeed<{ id: string }>(system, recipient, 'POST', '/api/push/subscriptions', newPushSubscription())).id;

/** A recipient with objects of every kind. */
export async function createWorld(system: Site, { people, judge }: Cast): Promise<World> {
  const recipient = await newPerson(system);
  const { id: userId } = recipient.account;
  const message = await newMessages(system, people.sender, recipient);
  const unwanted = await system.sendMessage(userId, { content: 'غير مرغوب' }, { cookie: newVisitorCookie() });
  const own = <Body>(method: string, path: string, body?: unknown) =>
    succeed<Body>(system, recipient, method, path, body);
  await own('POST', '/api/replies', { messageId: message.public.id, content: 'ردّ' });
  const { id: blockId } = await own<{ id: number }>('POST', '/api/blocks', { messageId: unwanted.id });
  const reportId = await newReport(system, people.sender, recipient);
  const decidedId = await report(system, recipient, unwanted.id);
  const warning = { action: 'warn', reason: 'إعلان' };
  const actions = `/api/admin/reports/${decidedId}/actions`;
  const { id: actionId } = await succeed<{ id: number }>(system, judge, 'POST', actions, warning);
  const { id: promptId } = await own<{ id: number }>('POST', '/api/prompts', { content: 'أيّ صوري أقرب إليك؟' });
  const { id: exportId } = await own<{ id: number }>('POST', '/api/exports');
  const pushId = await newPush(system, recipient);
  const [session] = await own<{ id: string }[]>('GET', '/api/sessions');
  // Of four messages and of a report's outcome.
  await system.eventually(async () => {
    const notifications = await own<unknown[]>('GET', '/api/notifications');
    if (notifications.length < 5) throw new Error(`Only ${notifications.length} notifications have come.`);
  });
  await system.eventually(async () => {
    const { status } = await own<{ status: string }>('GET', `/api/exports/${exportId}`);
    if (status !== 'ready') throw new Error(`The export is ${status}.`);
  });
  return {
    recipient,
    sessionId: session?.id ?? '',
    message,
    blockId,
    promptId,
    reportId,
    exportId,
    pushId,
    actionId,
  };
}

/** All data of the recipient that a call could change. */
export async function everythingOf(system: Site, { recipient, message }: World): Promise<unknown> {
  const { account, headers } = recipient;
  const read = async (path: string): Promise<unknown> => (await system.request('GET', path, { headers })).body;
  const paths = [
    '/api/user',
    '/api/users/receiving',
    '/api/sessions',
    '/api/recovery-codes',
    '/api/totp',
    '/api/passkeys',
    '/api/prompts',
    '/api/messages',
    '/api/messages?folder=aside',
    '/api/messages/sent',
    '/api/messages/stats',
    `/api/messages/public/${account.id}`,
    `/api/replies/${message.public.id}`,
    '/api/blocks',
    '/api/filters',
    '/api/reports',
    '/api/exports',
    '/api/messages/pinned',
    '/api/push/subscriptions',
    '/api/notifications',
  ];
  const data = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
  // Changed by reading.
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) => (/^(is|last)Online$|^lastUsedAt$/.test(key) ? undefined : value)),
  ) as unknown;
}
