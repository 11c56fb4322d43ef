import { LIMITS } from './limits.js';
import type { ApiService } from './services.js';

/** A visitor has no session; moderators and admins are users with a role. */
export type Role = 'visitor' | 'user' | 'moderator' | 'admin';

const EVERYONE = ['visitor', 'user', 'moderator', 'admin'] as const;
const SIGNED_IN = ['user', 'moderator', 'admin'] as const;
const STAFF = ['moderator', 'admin'] as const;
const ADMINS = ['admin'] as const;

/** @param account null for a visitor */
export function roleOf(account: { isAdmin: boolean; isModerator?: boolean } | null): Role {
  if (account === null) return 'visitor';
  if (account.isAdmin) return 'admin';
  return account.isModerator === true ? 'moderator' : 'user';
}

export interface FilePart {
  part: string;
  maxBytes: number;
}

export interface PicturePart extends FilePart {
  /** For a data URL; null if only a form is accepted. */
  field: string | null;
}

/**
 * `maxBytes` limits the whole body. Pictures and files are streamed.
 * `picture`: a form, or JSON with a data URL in `field`.
 * `form`: the handler streams its file.
 * `message`: JSON with a data URL in `picture.field`, or a form with a recording as `form`.
 */
export type RouteBody =
  | { kind: 'none' }
  | { kind: 'json'; maxBytes: number }
  | { kind: 'picture'; maxBytes: number; file: PicturePart }
  | { kind: 'form'; maxBytes: number; file: FilePart }
  | { kind: 'message'; maxBytes: number; file: FilePart; picture: { field: string; maxBytes: number } };

export interface Route {
  service: ApiService;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters in braces: `/api/messages/{id}`. */
  path: string;
  roles: readonly Role[];
  body: RouteBody;
}

const NO_BODY = { kind: 'none' } as const;
const JSON_BODY = { kind: 'json', maxBytes: LIMITS.jsonBytes } as const;

const form = <const File extends FilePart>(file: File) =>
  ({ kind: 'form', maxBytes: file.maxBytes + LIMITS.jsonBytes, file }) as const;

/** Slightly larger pictures are refused as pictures, not as bodies. */
const picture = <const File extends PicturePart>(file: File, maxBytes: number) =>
  ({ kind: 'picture', maxBytes, file }) as const;

/** The largest picture as a data URL, which adds a third, and other fields. */
const DATA_URL_BODY_BYTES = 8 * 1024 * 1024;

const AVATAR = picture({ part: 'avatar', field: 'avatar', maxBytes: LIMITS.avatarBytes }, DATA_URL_BODY_BYTES);
const MESSAGE_IMAGE = picture(
  { part: 'image', field: 'imageUrl', maxBytes: LIMITS.messageImageBytes },
  DATA_URL_BODY_BYTES,
);
const CHAT_IMAGE = picture({ part: 'image', field: null, maxBytes: LIMITS.chatImageBytes }, 2 * LIMITS.chatImageBytes);
const RECORDING = form({ part: 'audio', maxBytes: LIMITS.recordingBytes });
const FOLLOW_UP = {
  ...RECORDING,
  kind: 'message',
  picture: { field: 'imageUrl', maxBytes: LIMITS.messageImageBytes },
} as const;

/** By operation id. Free of zod, for the client and the gateway. */
export const ROUTES = {
  getCurrentUser: { service: 'auth', method: 'GET', path: '/api/user', roles: SIGNED_IN, body: NO_BODY },
  register: { service: 'auth', method: 'POST', path: '/api/register', roles: EVERYONE, body: JSON_BODY },
  login: { service: 'auth', method: 'POST', path: '/api/login', roles: EVERYONE, body: JSON_BODY },
  logout: { service: 'auth', method: 'POST', path: '/api/logout', roles: EVERYONE, body: NO_BODY },
  getAuthStatus: { service: 'auth', method: 'GET', path: '/api/auth-status', roles: EVERYONE, body: NO_BODY },
  updateCurrentUser: {
    service: 'auth',
    method: 'PATCH',
    path: '/api/users',
    roles: SIGNED_IN,
    body: AVATAR,
  },
  getReceiving: { service: 'auth', method: 'GET', path: '/api/users/receiving', roles: SIGNED_IN, body: NO_BODY },
  updateReceiving: {
    service: 'messages',
    method: 'PATCH',
    path: '/api/users/receiving',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  listPrompts: { service: 'auth', method: 'GET', path: '/api/prompts', roles: SIGNED_IN, body: NO_BODY },
  createPrompt: { service: 'auth', method: 'POST', path: '/api/prompts', roles: SIGNED_IN, body: JSON_BODY },
  deletePrompt: { service: 'auth', method: 'DELETE', path: '/api/prompts/{id}', roles: SIGNED_IN, body: NO_BODY },
  getPublicUser: { service: 'auth', method: 'GET', path: '/api/users/{username}', roles: EVERYONE, body: NO_BODY },
  getUserById: { service: 'auth', method: 'GET', path: '/api/users/by-id/{id}', roles: ADMINS, body: NO_BODY },
  changePassword: { service: 'auth', method: 'PUT', path: '/api/users/password', roles: SIGNED_IN, body: JSON_BODY },
  listSessions: { service: 'auth', method: 'GET', path: '/api/sessions', roles: SIGNED_IN, body: NO_BODY },
  endOtherSessions: { service: 'auth', method: 'DELETE', path: '/api/sessions', roles: SIGNED_IN, body: NO_BODY },
  endSession: { service: 'auth', method: 'DELETE', path: '/api/sessions/{id}', roles: SIGNED_IN, body: NO_BODY },

  requestDeletion: {
    service: 'auth',
    method: 'POST',
    path: '/api/account/deletion',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  keepAccount: { service: 'auth', method: 'DELETE', path: '/api/account/deletion', roles: SIGNED_IN, body: NO_BODY },
  getRecoveryCodes: { service: 'auth', method: 'GET', path: '/api/recovery-codes', roles: SIGNED_IN, body: NO_BODY },
  createRecoveryCodes: {
    service: 'auth',
    method: 'POST',
    path: '/api/recovery-codes',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  resetPassword: { service: 'auth', method: 'POST', path: '/api/password-resets', roles: EVERYONE, body: JSON_BODY },
  getTotp: { service: 'auth', method: 'GET', path: '/api/totp', roles: SIGNED_IN, body: NO_BODY },
  beginTotp: { service: 'auth', method: 'POST', path: '/api/totp/begin', roles: SIGNED_IN, body: JSON_BODY },
  confirmTotp: { service: 'auth', method: 'POST', path: '/api/totp/confirm', roles: SIGNED_IN, body: JSON_BODY },
  removeTotp: { service: 'auth', method: 'DELETE', path: '/api/totp', roles: SIGNED_IN, body: JSON_BODY },
  listPasskeys: { service: 'auth', method: 'GET', path: '/api/passkeys', roles: SIGNED_IN, body: NO_BODY },
  beginPasskey: { service: 'auth', method: 'POST', path: '/api/passkeys/options', roles: SIGNED_IN, body: NO_BODY },
  createPasskey: { service: 'auth', method: 'POST', path: '/api/passkeys', roles: SIGNED_IN, body: JSON_BODY },
  deletePasskey: { service: 'auth', method: 'DELETE', path: '/api/passkeys/{id}', roles: SIGNED_IN, body: NO_BODY },
  beginPasskeyLogin: {
    service: 'auth',
    method: 'POST',
    path: '/api/passkeys/login/options',
    roles: EVERYONE,
    body: NO_BODY,
  },
  verifyPasskeyLogin: {
    service: 'auth',
    method: 'POST',
    path: '/api/passkeys/login/verify',
    roles: EVERYONE,
    body: JSON_BODY,
  },

  listMessages: { service: 'messages', method: 'GET', path: '/api/messages', roles: SIGNED_IN, body: NO_BODY },
  createMessage: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages',
    roles: EVERYONE,
    body: MESSAGE_IMAGE,
  },
  listSentMessages: { service: 'messages', method: 'GET', path: '/api/messages/sent', roles: SIGNED_IN, body: NO_BODY },
  listMessageMonths: {
    service: 'messages',
    method: 'GET',
    path: '/api/messages/months',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  getMessageStats: { service: 'messages', method: 'GET', path: '/api/messages/stats', roles: SIGNED_IN, body: NO_BODY },
  listPublicMessages: {
    service: 'messages',
    method: 'GET',
    path: '/api/messages/public/{userId}',
    roles: EVERYONE,
    body: NO_BODY,
  },
  listPinnedMessages: {
    service: 'messages',
    method: 'GET',
    path: '/api/messages/pinned',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  pinMessages: { service: 'messages', method: 'PUT', path: '/api/messages/pinned', roles: SIGNED_IN, body: JSON_BODY },
  getPublicMessage: { service: 'messages', method: 'GET', path: '/api/messages/{id}', roles: EVERYONE, body: NO_BODY },
  updateMessage: {
    service: 'messages',
    method: 'PATCH',
    path: '/api/messages/{id}',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  deleteMessage: { service: 'messages', method: 'DELETE', path: '/api/messages/{id}', roles: SIGNED_IN, body: NO_BODY },
  emptyAside: { service: 'messages', method: 'DELETE', path: '/api/messages', roles: SIGNED_IN, body: NO_BODY },
  changeMessages: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages/bulk',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  undoMessages: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages/undo',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  restoreMessage: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages/{id}/restore',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  getWayBack: { service: 'messages', method: 'GET', path: '/api/ways-back/{token}', roles: EVERYONE, body: NO_BODY },
  deleteWayBack: {
    service: 'messages',
    method: 'DELETE',
    path: '/api/ways-back/{token}',
    roles: EVERYONE,
    body: NO_BODY,
  },
  getWayBackImage: {
    service: 'messages',
    method: 'GET',
    path: '/api/ways-back/{token}/image',
    roles: EVERYONE,
    body: NO_BODY,
  },
  getWayBackAudio: {
    service: 'messages',
    method: 'GET',
    path: '/api/ways-back/{token}/audio',
    roles: EVERYONE,
    body: NO_BODY,
  },
  endWayBack: {
    service: 'messages',
    method: 'DELETE',
    path: '/api/ways-back/{token}/conversation',
    roles: EVERYONE,
    body: NO_BODY,
  },
  writeByWayBack: {
    service: 'messages',
    method: 'POST',
    path: '/api/ways-back/{token}/messages',
    roles: EVERYONE,
    body: FOLLOW_UP,
  },
  createFollowUp: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages/{id}/follow-ups',
    roles: SIGNED_IN,
    body: FOLLOW_UP,
  },
  getConversation: {
    service: 'messages',
    method: 'GET',
    path: '/api/messages/{id}/conversation',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  endConversation: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages/{id}/end',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  createBlock: { service: 'messages', method: 'POST', path: '/api/blocks', roles: SIGNED_IN, body: JSON_BODY },
  listBlocks: { service: 'messages', method: 'GET', path: '/api/blocks', roles: SIGNED_IN, body: NO_BODY },
  deleteBlock: { service: 'messages', method: 'DELETE', path: '/api/blocks/{id}', roles: SIGNED_IN, body: NO_BODY },
  getFilters: { service: 'messages', method: 'GET', path: '/api/filters', roles: SIGNED_IN, body: NO_BODY },
  updateFilters: { service: 'messages', method: 'PUT', path: '/api/filters', roles: SIGNED_IN, body: JSON_BODY },
  changeFilters: { service: 'messages', method: 'PATCH', path: '/api/filters', roles: SIGNED_IN, body: JSON_BODY },
  createReport: { service: 'messages', method: 'POST', path: '/api/reports', roles: EVERYONE, body: JSON_BODY },
  listReports: { service: 'messages', method: 'GET', path: '/api/reports', roles: SIGNED_IN, body: NO_BODY },
  listNotifications: {
    service: 'messages',
    method: 'GET',
    path: '/api/notifications',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  countNotifications: {
    service: 'messages',
    method: 'GET',
    path: '/api/notifications/count',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  readNotifications: {
    service: 'messages',
    method: 'POST',
    path: '/api/notifications/read',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  getNotificationSettings: {
    service: 'messages',
    method: 'GET',
    path: '/api/notifications/settings',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  updateNotificationSettings: {
    service: 'messages',
    method: 'PUT',
    path: '/api/notifications/settings',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  changeNotificationSettings: {
    service: 'messages',
    method: 'PATCH',
    path: '/api/notifications/settings',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  getPushKey: { service: 'messages', method: 'GET', path: '/api/push/key', roles: EVERYONE, body: NO_BODY },
  listPushSubscriptions: {
    service: 'messages',
    method: 'GET',
    path: '/api/push/subscriptions',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  createPushSubscription: {
    service: 'messages',
    method: 'POST',
    path: '/api/push/subscriptions',
    roles: EVERYONE,
    body: JSON_BODY,
  },
  updatePushSubscription: {
    service: 'messages',
    method: 'PATCH',
    path: '/api/push/subscriptions/{id}',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  deletePushSubscription: {
    service: 'messages',
    method: 'DELETE',
    path: '/api/push/subscriptions/{id}',
    roles: EVERYONE,
    body: NO_BODY,
  },
  testPushSubscription: {
    service: 'messages',
    method: 'POST',
    path: '/api/push/subscriptions/{id}/test',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  createExport: { service: 'messages', method: 'POST', path: '/api/exports', roles: SIGNED_IN, body: NO_BODY },
  listExports: { service: 'messages', method: 'GET', path: '/api/exports', roles: SIGNED_IN, body: NO_BODY },
  getExport: { service: 'messages', method: 'GET', path: '/api/exports/{id}', roles: SIGNED_IN, body: NO_BODY },
  getExportFile: {
    service: 'messages',
    method: 'GET',
    path: '/api/exports/{id}/file',
    roles: SIGNED_IN,
    body: NO_BODY,
  },
  createReply: { service: 'messages', method: 'POST', path: '/api/replies', roles: SIGNED_IN, body: JSON_BODY },
  getReply: { service: 'messages', method: 'GET', path: '/api/replies/{messageId}', roles: EVERYONE, body: NO_BODY },
  uploadVoiceMessage: {
    service: 'messages',
    method: 'POST',
    path: '/api/audio/upload',
    roles: EVERYONE,
    body: RECORDING,
  },

  previewVoice: {
    service: 'media',
    method: 'POST',
    path: '/api/audio/preview',
    roles: EVERYONE,
    body: RECORDING,
  },
  streamAudio: { service: 'media', method: 'GET', path: '/api/audio/stream/{id}', roles: EVERYONE, body: NO_BODY },
  getImage: { service: 'media', method: 'GET', path: '/api/image/{filename}', roles: EVERYONE, body: NO_BODY },

  chat: { service: 'chatbot', method: 'POST', path: '/api/chat', roles: EVERYONE, body: JSON_BODY },
  uploadChatImage: {
    service: 'chatbot',
    method: 'POST',
    path: '/api/chat/upload',
    roles: EVERYONE,
    body: CHAT_IMAGE,
  },

  listSenderTracking: {
    service: 'admin',
    method: 'GET',
    path: '/api/admin/sender-tracking',
    roles: ADMINS,
    body: NO_BODY,
  },
  listChatBotMessages: {
    service: 'admin',
    method: 'GET',
    path: '/api/admin/chat-bot/messages',
    roles: ADMINS,
    body: NO_BODY,
  },
  deleteChatBotMessages: {
    service: 'admin',
    method: 'DELETE',
    path: '/api/admin/chat-bot/messages',
    roles: ADMINS,
    body: NO_BODY,
  },
  deleteChatBotMessage: {
    service: 'admin',
    method: 'DELETE',
    path: '/api/admin/chat-bot/messages/{id}',
    roles: ADMINS,
    body: NO_BODY,
  },
  listReportedMessages: {
    service: 'admin',
    method: 'GET',
    path: '/api/admin/reports',
    roles: STAFF,
    body: NO_BODY,
  },
  countReportedMessages: {
    service: 'admin',
    method: 'GET',
    path: '/api/admin/reports/counts',
    roles: STAFF,
    body: NO_BODY,
  },
  listActions: { service: 'admin', method: 'GET', path: '/api/admin/actions', roles: STAFF, body: NO_BODY },
  openReport: {
    service: 'admin',
    method: 'POST',
    path: '/api/admin/reports/{id}/open',
    roles: STAFF,
    body: NO_BODY,
  },
  openConversation: {
    service: 'admin',
    method: 'POST',
    path: '/api/admin/reports/{id}/conversation',
    roles: STAFF,
    body: JSON_BODY,
  },
  actOnReport: {
    service: 'admin',
    method: 'POST',
    path: '/api/admin/reports/{id}/actions',
    roles: STAFF,
    body: JSON_BODY,
  },
  undoAction: {
    service: 'admin',
    method: 'POST',
    path: '/api/admin/actions/{id}/undo',
    roles: ADMINS,
    body: JSON_BODY,
  },
  listAudit: { service: 'admin', method: 'GET', path: '/api/admin/audit', roles: ADMINS, body: NO_BODY },
  createAdmin: { service: 'admin', method: 'POST', path: '/api/admin/create', roles: EVERYONE, body: JSON_BODY },
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type OperationId = keyof Routes;

/** For staff who must set up the second factor first. */
export const SETUP_OPERATIONS: ReadonlySet<OperationId> = new Set<OperationId>([
  'getCurrentUser',
  'getAuthStatus',
  'login',
  'logout',
  'getTotp',
  'beginTotp',
  'confirmTotp',
  'getRecoveryCodes',
  'createRecoveryCodes',
  'getImage',
]);

/** For an account that is being deleted. */
export const LEAVING_OPERATIONS: ReadonlySet<OperationId> = new Set<OperationId>([
  'getCurrentUser',
  'getAuthStatus',
  'login',
  'beginPasskeyLogin',
  'verifyPasskeyLogin',
  'logout',
  'requestDeletion',
  'keepAccount',
  'createExport',
  'listExports',
  'getExport',
  'getExportFile',
  'getImage',
]);

export type OperationOf<Service extends ApiService> = {
  [Id in OperationId]: Routes[Id]['service'] extends Service ? Id : never;
}[OperationId];

export const OPERATION_IDS = Object.keys(ROUTES) as OperationId[];

/** Must come from one of our own pages (CSRF check). */
export const isStateChange = ({ method }: Pick<Route, 'method'>): boolean => method !== 'GET';

export function acceptedTypes({ body }: Pick<Route, 'body'>): readonly ('application/json' | 'multipart/form-data')[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'json':
      return ['application/json'];
    case 'message':
      return ['application/json', 'multipart/form-data'];
    case 'picture':
      return body.file.field === null ? ['multipart/form-data'] : ['application/json', 'multipart/form-data'];
    case 'form':
      return ['multipart/form-data'];
  }
}
