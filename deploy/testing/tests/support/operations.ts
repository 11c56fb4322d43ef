import { ROUTES, type OperationId, type Role } from '@najwa/proto/http/client';
import { createOpenApiDocument } from '@najwa/proto/http/openapi';
import { buildMessage, buildRegistration, PASSWORD, type SentMessage } from '@najwa/testing';
import {
  newMessages,
  newPerson,
  newPush,
  newPushSubscription,
  newReport,
  newSession,
  newStaffBody,
  signIn,
  type Caller,
  type Cast,
  type Person,
  type Site,
  type Thing,
  type World,
} from './world.js';

/** Creates the values of a world. */
export interface Stage {
  system: Site;
  cast: Cast;
}

/** One status, or one by caller with a default. */
type Answers = number | (Partial<Record<Caller, number>> & { others: number });

/** How to call an operation, and its expected answers. */
export interface Row {
  /** For calls that the gateway answers. The contract has the others. */
  roles?: readonly Role[];
  /** Values of the path's parameters and query. */
  path?: (world: World, thing: Thing) => string;
  body?: (world: World, thing: Thing, caller: Person) => unknown;
  /** A form instead of JSON. Without its file, so that nothing is transcoded: callers are authorized before. */
  isForm?: true;
  /** For permitted callers, by object. */
  answers: Partial<Record<Thing, Answers>>;
  /** A success consumes the object, so each needs a new one. */
  renew?: (world: World, stage: Stage) => Promise<Partial<World>>;
  /** Only the recipient's success changes something. Others do not learn that there is nothing of theirs. */
  isSilent?: true;
  /** Reverts the effects of a success on its caller. */
  takeBack?: (caller: Person, stage: Stage) => Promise<unknown>;
}

const ABSENT_ID = 2_000_000_000;
const ABSENT_UUID = '00000000-0000-4000-8000-000000000000';
const ABSENT_TOKEN = 'A'.repeat(22);
const REASON = 'مزاح بين صديقين';

const ofMessage = ({ message }: World, thing: Thing): number =>
  thing === 'private' || thing === 'public' ? message[thing].id : ABSENT_ID;
const messageId = (world: World, thing: Thing) => ({ messageId: ofMessage(world, thing) });
const messagePath =
  (start: string, end = '') =>
  (world: World, thing: Thing) =>
    `${start}${ofMessage(world, thing)}${end}`;
const usernamePath =
  (start: string, end = '') =>
  ({ recipient }: World, thing: Thing) =>
    `${start}${thing === 'absent' ? 'nobody-has-this' : recipient.account.username}${end}`;
const thingPath =
  (start: string, idOf: (world: World) => number | string, absent: number | string, end = '') =>
  (world: World, thing: Thing) =>
    `${start}${thing === 'absent' ? absent : idOf(world)}${end}`;
const tokenOf = ({ wayBack = '' }: SentMessage): string => wayBack.replace('/r/', '');
const wayBackPath =
  (end = '') =>
  ({ message }: World, thing: Thing) =>
    `/api/ways-back/${thing === 'absent' ? ABSENT_TOKEN : tokenOf(message.private)}${end}`;

const withNewMessages = async ({ recipient }: World, { system, cast }: Stage) => ({
  message: await newMessages(system, cast.people.sender, recipient),
});

/** A subscription ends with its session. */
const withNewPush = async ({ recipient }: World, { system }: Stage) => ({ pushId: await newPush(system, recipient) });

/** For all others the object does not exist. */
const recipientsOnly = (status: number): Answers => ({ recipient: status, others: 404 });
const recipientsAndSenders = (status: number): Answers => ({ recipient: status, sender: status, others: 404 });
const ownMessages = (status: number): Row['answers'] => ({
  private: recipientsOnly(status),
  public: recipientsOnly(status),
  absent: 404,
});
const always = (status: number): Row['answers'] => ({ none: status });
const publicThing = (status = 200): Row['answers'] => ({ public: status, absent: 404 });

const EVERYONE: readonly Role[] = ['visitor', 'user', 'moderator', 'admin'];
const SIGNED_IN: readonly Role[] = ['user', 'moderator', 'admin'];

/** An authenticator's answer in form, without a challenge of ours. */
const PASSKEY_ANSWER = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

/** A call that needs an account, or a way back. */
const NO_ACCOUNT = { visitor: 401, endedSession: 401, forgedToken: 401, tokenOfService: 401 };

const GATEWAY_ROWS = {
  getDocumentation: { roles: EVERYONE, answers: always(200) },
  getQrCodeAsSvg: { roles: EVERYONE, path: usernamePath('/api/users/', '/qr.svg'), answers: publicThing() },
  getQrCodeAsPng: { roles: EVERYONE, path: usernamePath('/api/users/', '/qr.png'), answers: publicThing() },
  getProfilePicture: { roles: EVERYONE, path: usernamePath('/og/', '.png'), answers: publicThing() },
  getArabicCard: { roles: EVERYONE, path: usernamePath('/card/ar/', '.png'), answers: publicThing() },
  getEnglishCard: { roles: EVERYONE, path: usernamePath('/card/en/', '.png'), answers: publicThing() },
  getCarpet: { roles: EVERYONE, path: usernamePath('/carpet/', '.svg'), answers: publicThing() },
  getMessagePicture: {
    roles: EVERYONE,
    path: messagePath('/og/message/', '.png'),
    answers: { private: 404, ...publicThing() },
  },
  getMessageStory: {
    roles: EVERYONE,
    path: messagePath('/story/message/', '.png'),
    answers: { private: 404, ...publicThing() },
  },
  // A page without a question of that id.
  getPromptStory: { roles: EVERYONE, path: usernamePath('/story/', '.png?ask=1'), answers: publicThing(404) },
  streamNotifications: { roles: SIGNED_IN, answers: always(200) },
} satisfies Record<string, Row>;

export const ROWS: Record<OperationId | keyof typeof GATEWAY_ROWS, Row> = {
  ...GATEWAY_ROWS,
  getCurrentUser: { answers: always(200) },
  register: { body: () => buildRegistration(), answers: always(201) },
  login: {
    body: ({ recipient }) => ({ username: recipient.account.username, password: PASSWORD }),
    answers: always(200),
  },
  logout: {
    answers: always(204),
    takeBack: async (caller, { system }) => {
      if (caller.account) Object.assign(caller, await signIn(system, caller.account.username));
    },
  },
  getAuthStatus: { answers: always(200) },
  updateCurrentUser: { body: () => ({ bio: 'changed' }), answers: always(200) },
  getReceiving: { answers: always(200) },
  updateReceiving: { body: () => ({ notice: 'أهلًا' }), answers: always(200) },
  listPrompts: { answers: always(200) },
  createPrompt: { body: () => ({ content: 'ماذا أقرأ بعد؟' }), answers: always(201) },
  deletePrompt: {
    path: thingPath('/api/prompts/', ({ promptId }) => promptId, ABSENT_ID),
    answers: { private: recipientsOnly(204), absent: 404 },
  },
  getPublicUser: { path: usernamePath('/api/users/'), answers: publicThing() },
  getUserById: {
    path: thingPath('/api/users/by-id/', ({ recipient }) => recipient.account.id, ABSENT_ID),
    answers: publicThing(),
  },
  changePassword: {
    body: () => ({ currentPassword: 'wrong horse', newPassword: 'another horse' }),
    answers: always(422),
  },
  listSessions: { answers: always(200) },
  endOtherSessions: { answers: always(204) },
  endSession: {
    path: thingPath('/api/sessions/', ({ sessionId }) => sessionId, ABSENT_UUID),
    answers: { private: recipientsOnly(204), absent: 404 },
    renew: async ({ recipient }, { system }) => ({ sessionId: await newSession(system, recipient) }),
  },
  requestDeletion: {
    body: () => ({ password: PASSWORD }),
    answers: always(202),
    takeBack: (caller, { system }) => system.request('DELETE', '/api/account/deletion', caller),
  },
  keepAccount: { answers: always(204) },
  getRecoveryCodes: { answers: always(200) },
  createRecoveryCodes: { body: () => ({ password: PASSWORD }), answers: always(201) },
  resetPassword: {
    body: ({ recipient }) => ({
      username: recipient.account.username,
      code: 'AAAA-AAAA-AAAA',
      password: 'another horse',
      confirmPassword: 'another horse',
    }),
    answers: always(401),
  },
  getTotp: { answers: always(200) },
  beginTotp: { body: () => ({ password: PASSWORD }), answers: always(200) },
  confirmTotp: { body: () => ({ code: '000000' }), answers: always(422) },
  removeTotp: { body: () => ({ code: '000000' }), answers: always(422) },
  listPasskeys: { answers: always(200) },
  beginPasskey: { answers: always(200) },
  createPasskey: { body: () => PASSKEY_ANSWER, answers: always(422) },
  deletePasskey: { path: () => `/api/passkeys/${ABSENT_UUID}`, answers: { absent: 404 } },
  beginPasskeyLogin: { answers: always(200) },
  verifyPasskeyLogin: { body: () => PASSKEY_ANSWER, answers: always(401) },

  listMessages: { answers: always(200) },
  createMessage: {
    body: ({ recipient }, thing) => buildMessage(thing === 'absent' ? ABSENT_ID : recipient.account.id),
    answers: publicThing(201),
  },
  listSentMessages: { answers: always(200) },
  listMessageMonths: { answers: always(200) },
  getMessageStats: { answers: always(200) },
  listPublicMessages: {
    path: thingPath('/api/messages/public/', ({ recipient }) => recipient.account.id, ABSENT_ID),
    answers: { public: 200, absent: 200 },
  },
  getPublicMessage: { path: messagePath('/api/messages/'), answers: { private: 404, public: 200, absent: 404 } },
  updateMessage: {
    path: messagePath('/api/messages/'),
    body: () => ({ isRead: true }),
    answers: ownMessages(200),
  },
  deleteMessage: {
    path: messagePath('/api/messages/'),
    // A sender's deletion removes the message from the own list.
    answers: {
      private: recipientsAndSenders(204),
      public: recipientsAndSenders(204),
      absent: 404,
    },
    renew: withNewMessages,
  },
  changeMessages: {
    body: (world, thing) => ({ ids: [ofMessage(world, thing)], action: 'delete' }),
    answers: { private: 200, public: 200, absent: 200 },
    renew: withNewMessages,
    isSilent: true,
  },
  listPinnedMessages: { answers: always(200) },
  pinMessages: {
    body: (world, thing) => ({ ids: [ofMessage(world, thing)] }),
    answers: { public: recipientsOnly(200), private: { recipient: 409, others: 404 }, absent: 404 },
  },
  undoMessages: { body: () => ({ undoToken: 'none' }), answers: always(409) },
  restoreMessage: { path: messagePath('/api/messages/', '/restore'), answers: ownMessages(200) },
  emptyAside: { path: () => '/api/messages?folder=aside', answers: always(204) },
  getWayBack: { path: wayBackPath(), answers: { private: 200, absent: 404 } },
  deleteWayBack: { path: wayBackPath(), answers: { private: 204, absent: 404 }, renew: withNewMessages },
  endWayBack: {
    path: wayBackPath('/conversation'),
    answers: { private: 204, absent: 404 },
    renew: withNewMessages,
  },
  writeByWayBack: {
    path: wayBackPath('/messages'),
    body: () => ({ content: 'أكتب مرة أخرى' }),
    answers: { private: 409, absent: 404 },
  },
  createFollowUp: {
    path: messagePath('/api/messages/', '/follow-ups'),
    body: () => ({ content: 'أكتب مرة أخرى' }),
    answers: {
      private: { sender: 409, others: 404 },
      // Answered.
      public: { sender: 201, others: 404 },
      absent: 404,
    },
  },
  getConversation: { path: messagePath('/api/messages/', '/conversation'), answers: ownMessages(200) },
  endConversation: { path: messagePath('/api/messages/', '/end'), answers: ownMessages(204), renew: withNewMessages },
  getWayBackImage: { path: wayBackPath('/image'), answers: { private: 200, absent: 404 } },
  getWayBackAudio: { path: wayBackPath('/audio'), answers: { private: 404, absent: 404 } },
  createBlock: {
    body: messageId,
    answers: ownMessages(201),
    // Later messages of a blocked sender are set aside.
    renew: async ({ recipient }, { system }) => ({
      message: await newMessages(system, await newPerson(system), recipient),
    }),
  },
  listBlocks: { answers: always(200) },
  deleteBlock: {
    path: thingPath('/api/blocks/', ({ blockId }) => blockId, ABSENT_ID),
    answers: { private: recipientsOnly(204), absent: 404 },
  },
  getFilters: { answers: always(200) },
  updateFilters: { body: () => ({ words: ['كلمة'], lists: ['insults'] }), answers: always(200) },
  changeFilters: { body: () => ({ words: { add: ['كلمة'] } }), answers: always(200) },
  createReport: {
    body: (world, thing) => ({ ...messageId(world, thing), reason: 'threat' }),
    answers: { private: recipientsOnly(201), public: 201, absent: 404 },
  },
  listReports: { answers: always(200) },
  listReportedMessages: { answers: always(200) },
  countReportedMessages: { answers: always(200) },
  listActions: { answers: always(200) },
  openReport: {
    path: thingPath('/api/admin/reports/', ({ reportId }) => reportId, ABSENT_ID, '/open'),
    answers: { private: 200, absent: 404 },
  },
  openConversation: {
    path: thingPath('/api/admin/reports/', ({ reportId }) => reportId, ABSENT_ID, '/conversation'),
    body: () => ({ reason: REASON }),
    answers: { private: 200, absent: 404 },
  },
  actOnReport: {
    path: thingPath('/api/admin/reports/', ({ reportId }) => reportId, ABSENT_ID, '/actions'),
    body: () => ({ action: 'dismiss', reason: REASON }),
    answers: { private: 201, absent: 404 },
    renew: async ({ recipient }, { system, cast }) => ({
      reportId: await newReport(system, cast.people.sender, recipient),
    }),
  },
  undoAction: {
    path: thingPath('/api/admin/actions/', ({ actionId }) => actionId, ABSENT_ID, '/undo'),
    body: () => ({ reason: REASON }),
    answers: { private: 201, absent: 404 },
  },
  listNotifications: { answers: always(200) },
  countNotifications: { answers: always(200) },
  readNotifications: { body: () => ({ ids: [ABSENT_ID] }), answers: always(200) },
  getNotificationSettings: { answers: always(200) },
  updateNotificationSettings: { body: () => ({ kinds: ['message'] }), answers: always(200) },
  changeNotificationSettings: { body: () => ({ kinds: { add: ['message'] } }), answers: always(200) },
  getPushKey: { answers: always(200) },
  listPushSubscriptions: { answers: always(200) },
  createPushSubscription: {
    body: ({ message }, thing) => ({
      ...newPushSubscription(),
      wayBack: thing === 'absent' ? ABSENT_TOKEN : tokenOf(message.private),
    }),
    answers: { private: 201, absent: 404 },
  },
  updatePushSubscription: {
    path: thingPath('/api/push/subscriptions/', ({ pushId }) => pushId, ABSENT_UUID),
    body: () => ({ kinds: ['message'] }),
    answers: { private: recipientsOnly(200), absent: 404 },
    renew: withNewPush,
  },
  deletePushSubscription: {
    path: thingPath('/api/push/subscriptions/', ({ pushId }) => pushId, ABSENT_UUID),
    answers: { private: { recipient: 204, ...NO_ACCOUNT, others: 404 }, absent: { ...NO_ACCOUNT, others: 404 } },
    renew: withNewPush,
  },
  testPushSubscription: {
    path: thingPath('/api/push/subscriptions/', ({ pushId }) => pushId, ABSENT_UUID, '/test'),
    answers: { private: recipientsOnly(202), absent: 404 },
    renew: withNewPush,
  },
  createExport: { answers: always(201) },
  listExports: { answers: always(200) },
  getExport: {
    path: thingPath('/api/exports/', ({ exportId }) => exportId, ABSENT_ID),
    answers: { private: recipientsOnly(200), absent: 404 },
  },
  getExportFile: {
    path: thingPath('/api/exports/', ({ exportId }) => exportId, ABSENT_ID, '/file'),
    answers: { private: recipientsOnly(200), absent: 404 },
  },
  createReply: {
    body: (world, thing) => ({ ...messageId(world, thing), content: 'ردّ' }),
    answers: ownMessages(201),
  },
  getReply: {
    path: messagePath('/api/replies/'),
    answers: { private: recipientsAndSenders(200), public: 200, absent: 404 },
  },
  uploadVoiceMessage: { isForm: true, answers: always(422) },

  previewVoice: { isForm: true, answers: always(422) },
  streamAudio: { path: () => `/api/audio/stream/${'A'.repeat(22)}`, answers: { absent: 404 } },
  getImage: {
    path: ({ message }, thing) =>
      thing === 'private' || thing === 'public' ? `/api${message[thing].imageUrl ?? ''}` : '/api/image/absent.webp',
    answers: { private: recipientsAndSenders(200), public: 200, absent: 404 },
  },
  chat: { body: () => ({ message: 'مرحبا' }), answers: always(200) },
  uploadChatImage: { isForm: true, answers: always(422) },
  listSenderTracking: { answers: always(200) },
  listChatBotMessages: { answers: always(200) },
  deleteChatBotMessages: { answers: always(200) },
  deleteChatBotMessage: { path: () => `/api/admin/chat-bot/messages/${ABSENT_ID}`, answers: { absent: 404 } },
  listAudit: { answers: always(200) },
  createAdmin: {
    body: () => ({ ...newStaffBody(), adminSecret: 'a guess' }),
    answers: always(403),
  },
};

export interface Operation {
  id: keyof typeof ROWS;
  method: string;
  path: string;
  /** Parameters of its query. */
  queries: readonly string[];
}

interface Parameter {
  name?: string;
  in?: string;
}

let documented: ReadonlyMap<string, readonly Operation[]> | undefined;

/** By tag. */
export const documentedOperations = (): ReadonlyMap<string, readonly Operation[]> => (documented ??= readOperations());

function readOperations(): Map<string, Operation[]> {
  const { paths } = createOpenApiDocument() as unknown as {
    paths: Record<string, Record<string, { operationId: string; tags: string[]; parameters?: Parameter[] }>>;
  };
  const operations = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, tags, parameters = [] }] of Object.entries(methods)) {
      const queries = parameters.flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : []));
      const operation = { id: operationId as keyof typeof ROWS, method: method.toUpperCase(), path, queries };
      const tag = tags.join();
      operations.set(tag, [...(operations.get(tag) ?? []), operation]);
    }
  }
  return operations;
}

const isOfService = (id: string): id is OperationId => id in ROUTES;
export const rolesOf = (id: keyof typeof ROWS): readonly Role[] =>
  isOfService(id) ? ROUTES[id].roles : (ROWS[id].roles ?? []);
