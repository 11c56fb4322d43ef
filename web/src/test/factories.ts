import { PROFILE_DEFAULTS, RECEIVING_DEFAULTS } from '@najwa/proto/http/client';
import type { AuditEntry, Conversation, TrackingRecord } from '../owner/admin/index.js';
import type { SentMessage } from '../owner/inbox/index.js';
import type { Message } from '../shared/message/index.js';
import type { PublicProfile } from '../visitor/public-page/index.js';
import type { User } from '../shared/session/index.js';

export const buildProfile = (overrides: Partial<PublicProfile> = {}): PublicProfile => ({
  ...PROFILE_DEFAULTS.public,
  id: 1,
  username: 'noura',
  name: 'Noura Alali',
  avatar: null,
  lastOnline: null,
  isOnline: true,
  visitorCount: 12,
  receiving: {
    from: RECEIVING_DEFAULTS.from,
    minimumDays: RECEIVING_DEFAULTS.minimumDays,
    notice: RECEIVING_DEFAULTS.notice,
  },
  isAdmin: false,
  isVerified: false,
  ...overrides,
});

export const buildUser = (overrides: Partial<User> = {}): User => ({
  ...buildProfile(),
  ...PROFILE_DEFAULTS.own,
  email: null,
  gender: 'female',
  createdAt: '2025-03-04T10:00:00.000Z',
  isModerator: false,
  deletesAt: null,
  ...overrides,
});

export const buildAdministrator = (overrides: Partial<User> = {}): User =>
  buildUser({ id: 2, username: 'salem', name: 'Salem Alharbi', gender: 'male', isAdmin: true, ...overrides });

export const buildMessage = ({ id = 1, ...overrides }: Partial<Message> = {}): Message => ({
  id,
  userId: 1,
  ornament: id.toString(16).padStart(16, '0'),
  content: `message ${String(id)}`,
  imageUrl: null,
  audioUrl: null,
  audioType: null,
  audioDuration: null,
  audioPeaks: null,
  emoji: null,
  isRead: false,
  isPublic: false,
  createdAt: new Date(Date.UTC(2026, 10, 1, 10, id)).toISOString(),
  reply: null,
  ...overrides,
});

/** From the account of `buildUser()` to that of `buildAdministrator()`. */
export const buildSentMessage = ({ id = 3, ...overrides }: Partial<SentMessage> = {}): SentMessage => ({
  ...buildMessage({ id, userId: 2, content: 'to Salem' }),
  senderUserId: 1,
  recipient: { username: 'salem', name: 'Salem' },
  warnedAt: null,
  ...overrides,
});

export const buildReply = (content: string) => ({ content, createdAt: '2026-11-02T10:00:00.000Z' });

/** Of a message to the account of `buildUser()`. */
export const buildTrackingRecord = (
  id: number,
  change: Partial<TrackingRecord> = {},
  message: Partial<TrackingRecord['message']> = {},
): TrackingRecord => ({
  id,
  messageId: id + 2000,
  ipAddress: '203.0.113.77',
  userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9)',
  browser: 'Chrome',
  operatingSystem: 'Android',
  device: 'mobile',
  location: null,
  referrer: 'https://social.example/noura',
  language: 'ar-SA',
  additionalData: { acceptedLanguages: ['ar-SA', 'en'] },
  createdAt: '2026-11-20T10:12:00.000Z',
  message: { content: `message ${String(id)}`, isRead: false, isPublic: false, userId: 1, ...message },
  ...change,
});

export const buildConversation = (id: number, change: Partial<Conversation> = {}): Conversation => ({
  id,
  userId: null,
  userName: null,
  isVisitor: true,
  userMessage: `question ${String(id)}`,
  botResponse: `answer ${String(id)}`,
  hasImage: false,
  imageUrl: null,
  isUsingLocalSystem: true,
  ipAddress: '203.0.113.77',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
  createdAt: '2026-11-20T10:12:00.000Z',
  ...change,
});

export const buildAuditEntry = (id: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  userId: 2,
  username: 'salem',
  ipAddress: '203.0.113.77',
  action: 'tracking.list',
  outcome: 'done',
  details: { records: 10, newestId: 2041, oldestId: 2032 },
  createdAt: '2026-11-20T10:12:00.000Z',
  ...change,
});
