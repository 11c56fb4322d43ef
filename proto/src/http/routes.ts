import { LIMITS } from './limits.js';
import type { ApiService } from './services.js';

/** A visitor has no session, a user has one, an admin is a user with an administrator account. */
export type Role = 'visitor' | 'user' | 'admin';

const EVERYONE = ['visitor', 'user', 'admin'] as const;
const SIGNED_IN = ['user', 'admin'] as const;
const ADMINS = ['admin'] as const;

/** The file of a form. */
export interface FilePart {
  /** Part name of the file. */
  part: string;
  maxBytes: number;
}

export interface PicturePart extends FilePart {
  /** JSON field for a data URL; null if only a form is accepted. */
  field: string | null;
}

/**
 * Accepted request body. `maxBytes` limits the whole body.
 * `picture`: a form with a picture or, with a `field`, JSON with the picture as a data URL. Both are streamed.
 * `form`: a form whose file the handler streams.
 */
export type RouteBody =
  | { kind: 'none' }
  | { kind: 'json'; maxBytes: number }
  | { kind: 'picture'; maxBytes: number; file: PicturePart }
  | { kind: 'form'; maxBytes: number; file: FilePart };

export interface Route {
  service: ApiService;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, for example `/api/messages/{id}`. */
  path: string;
  /** Roles that may make the call. */
  roles: readonly Role[];
  body: RouteBody;
}

const NO_BODY = { kind: 'none' } as const;
const JSON_BODY = { kind: 'json', maxBytes: LIMITS.jsonBytes } as const;

const form = <const File extends FilePart>(file: File) =>
  ({ kind: 'form', maxBytes: file.maxBytes + LIMITS.jsonBytes, file }) as const;

/** Leaves room for slightly oversized pictures, so that they are refused as pictures and not as bodies. */
const picture = <const File extends PicturePart>(file: File, maxBytes: number) =>
  ({ kind: 'picture', maxBytes, file }) as const;

/** Room for the largest picture as a data URL, which is a third larger, and for the other fields. */
const DATA_URL_BODY_BYTES = 8 * 1024 * 1024;

const AVATAR = picture({ part: 'avatar', field: 'avatar', maxBytes: LIMITS.avatarBytes }, DATA_URL_BODY_BYTES);
const MESSAGE_IMAGE = picture(
  { part: 'image', field: 'imageUrl', maxBytes: LIMITS.messageImageBytes },
  DATA_URL_BODY_BYTES,
);
const CHAT_IMAGE = picture({ part: 'image', field: null, maxBytes: LIMITS.chatImageBytes }, 2 * LIMITS.chatImageBytes);
const RECORDING = form({ part: 'audio', maxBytes: LIMITS.recordingBytes });

/** Every call below /api, by operation id. Does not need zod, so the client and the gateway can use it. */
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
  getPublicUser: { service: 'auth', method: 'GET', path: '/api/users/{username}', roles: EVERYONE, body: NO_BODY },
  getUserById: { service: 'auth', method: 'GET', path: '/api/users/by-id/{id}', roles: ADMINS, body: NO_BODY },
  changePassword: { service: 'auth', method: 'PUT', path: '/api/users/password', roles: SIGNED_IN, body: JSON_BODY },
  listSessions: { service: 'auth', method: 'GET', path: '/api/sessions', roles: SIGNED_IN, body: NO_BODY },
  endOtherSessions: { service: 'auth', method: 'DELETE', path: '/api/sessions', roles: SIGNED_IN, body: NO_BODY },
  endSession: { service: 'auth', method: 'DELETE', path: '/api/sessions/{id}', roles: SIGNED_IN, body: NO_BODY },

  listMessages: { service: 'messages', method: 'GET', path: '/api/messages', roles: SIGNED_IN, body: NO_BODY },
  createMessage: {
    service: 'messages',
    method: 'POST',
    path: '/api/messages',
    roles: EVERYONE,
    body: MESSAGE_IMAGE,
  },
  listSentMessages: { service: 'messages', method: 'GET', path: '/api/messages/sent', roles: SIGNED_IN, body: NO_BODY },
  getMessageStats: { service: 'messages', method: 'GET', path: '/api/messages/stats', roles: SIGNED_IN, body: NO_BODY },
  listPublicMessages: {
    service: 'messages',
    method: 'GET',
    path: '/api/messages/public/{userId}',
    roles: EVERYONE,
    body: NO_BODY,
  },
  updateMessage: {
    service: 'messages',
    method: 'PATCH',
    path: '/api/messages/{id}',
    roles: SIGNED_IN,
    body: JSON_BODY,
  },
  deleteMessage: { service: 'messages', method: 'DELETE', path: '/api/messages/{id}', roles: SIGNED_IN, body: NO_BODY },
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
  listAudit: { service: 'admin', method: 'GET', path: '/api/admin/audit', roles: ADMINS, body: NO_BODY },
  createAdmin: { service: 'admin', method: 'POST', path: '/api/admin/create', roles: EVERYONE, body: JSON_BODY },
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type OperationId = keyof Routes;

/** Operation ids of a service. */
export type OperationOf<Service extends ApiService> = {
  [Id in OperationId]: Routes[Id]['service'] extends Service ? Id : never;
}[OperationId];

export const OPERATION_IDS = Object.keys(ROUTES) as OperationId[];

/** Whether a call changes state and must therefore come from one of our own pages (CSRF check). */
export const isStateChange = ({ method }: Pick<Route, 'method'>): boolean => method !== 'GET';

/** Accepted content types of the body. */
export function acceptedTypes({ body }: Pick<Route, 'body'>): readonly ('application/json' | 'multipart/form-data')[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'json':
      return ['application/json'];
    case 'picture':
      return body.file.field === null ? ['multipart/form-data'] : ['application/json', 'multipart/form-data'];
    case 'form':
      return ['multipart/form-data'];
  }
}
