import { expect, test } from '@jest/globals';
import type { PermanentKey } from '@najwa/product';
import type { User } from '@najwa/proto/auth';
import { asSent, changeOf, type MessageDocument, type MessageRecord, STORED_FIELDS } from '../store/message-record.js';
import { Presenter } from './present.js';

/** Readers who see a change of a stored field. Administrators see senders elsewhere. */
type Audience = 'recipient' | 'sender' | 'public';
type Stored = MessageDocument & { deletedAt: Date };

interface Row {
  audiences: readonly Audience[];
  /** Another value than that of `MESSAGE`. */
  other: unknown;
}

const EVERYONE = ['recipient', 'sender', 'public'] as const;
const AT = new Date('2026-01-02T03:04:05.000Z');
const LATER = new Date('2026-02-03T04:05:06.000Z');

const MESSAGE = {
  id: 1,
  userId: 2,
  senderUserId: 'account',
  hiddenFromSender: false,
  content: 'hello',
  isRead: false,
  isPublic: false,
  imageName: null,
  audio: null,
  createdAt: AT,
  revision: 1,
  reply: null,
  submission: { key: 'key', content: 'hash' },
  tags: { account: 'account', visitor: 'visitor', networks: ['network'] },
} satisfies Partial<Stored>;

const FIELDS: Record<keyof Stored, Row> = {
  id: { audiences: EVERYONE, other: 7 },
  sentAs: { audiences: ['sender'], other: { id: 9, at: LATER } },
  userId: { audiences: EVERYONE, other: 8 },
  senderUserId: { audiences: [], other: 'somebody' },
  hiddenFromSender: { audiences: [], other: true },
  content: { audiences: EVERYONE, other: 'bye' },
  isRead: { audiences: ['recipient', 'sender'], other: true },
  isPublic: { audiences: ['recipient', 'sender'], other: true },
  imageName: { audiences: EVERYONE, other: 'a.webp' },
  audio: { audiences: EVERYONE, other: { name: 'a', contentType: 'audio/mp4', duration: 3, peaks: [1] } },
  createdAt: { audiences: EVERYONE, other: LATER },
  revision: { audiences: [], other: 2 },
  reply: {
    audiences: EVERYONE,
    other: { id: 1, content: 'yes', createdAt: LATER, submission: { key: 'a', content: 'b' } },
  },
  replacedReplies: { audiences: [], other: [{ id: 1, createdAt: AT, submission: { key: 'a', content: 'b' } }] },
  submission: { audiences: [], other: { key: 'other', content: 'other' } },
  aside: { audiences: ['recipient'], other: { reason: 'filtered', matched: 'word', at: LATER } },
  tags: { audiences: [], other: { account: null, visitor: 'other', networks: [] } },
  sealedSender: { audiences: [], other: 'sealed' },
  isReported: { audiences: [], other: true },
  isWithheld: { audiences: [], other: true },
  warnedAt: { audiences: ['sender'], other: LATER },
  wayBack: { audiences: [], other: 'hash' },
  undo: { audiences: [], other: { action: 'delete', by: 'hash', until: LATER } },
  pin: { audiences: EVERYONE, other: { owner: 2, place: 1 } },
  prompt: { audiences: EVERYONE, other: { id: 3, content: 'why?' } },
  conversation: { audiences: ['recipient', 'sender'], other: { id: 1, sentId: 1, turn: 2 } },
  words: { audiences: [], other: ['hello'] },
  unindexedWords: { audiences: [], other: ['hello'] },
  outbox: { audiences: [], other: [{ id: 'event', at: LATER, body: '{}' }] },
  deletedAt: { audiences: [], other: LATER },
};

const key: PermanentKey = {
  tag: (...parts) => Buffer.from(parts.join(' ').repeat(3)).reverse().toString('base64url'),
  seal: () => '',
  open: () => Buffer.alloc(0),
};
const recipient: User = {
  id: 2,
  username: 'noura',
  name: 'Noura',
  avatarName: '',
  isAdmin: false,
  isVerified: false,
  isModerator: false,
  prompts: [],
  receiving: undefined,
};

/** The store gives every field of a document. */
const recordOf = ({ senderUserId, ...fields }: Partial<Stored>) =>
  ({ aside: null, ...fields, sender: senderUserId }) as unknown as MessageRecord;

function viewsOf(stored: Partial<Stored>): Record<Audience, string> {
  const message = recordOf(stored);
  const present = new Presenter(key);
  const sent = asSent(message);
  return {
    recipient: JSON.stringify(present.listedView(message)),
    sender: JSON.stringify([
      present.senderView(sent, 5, recipient, true),
      present.wayBackView('token', {
        id: sent.id,
        message: sent,
        recipient,
        isRead: false,
        isLastRead: false,
        canDelete: true,
        turns: [message],
        hasEnded: false,
        canWrite: true,
      }),
    ]),
    public: JSON.stringify(present.publicView(message)),
  };
}

test('each stored field of a message is shown to its declared audiences only', () => {
  const before = viewsOf(MESSAGE);
  const seen = Object.entries(FIELDS).map(([field, { other }]) => {
    const after = viewsOf({ ...MESSAGE, [field]: other });
    return [field, EVERYONE.filter((audience) => after[audience] !== before[audience])];
  });
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(Object.entries(FIELDS).map(([field, { audiences }]) => [field, audiences])),
  );
});

/** Never change, or decide whether the message is public at all. */
const NOT_COMPARED = ['id', 'createdAt', 'prompt', 'isPublic', 'aside'];

test.each(Object.entries(FIELDS).filter(([field]) => !NOT_COMPARED.includes(field)))(
  'a change of %s of a published message is announced to the public if everybody sees it',
  (field, { audiences, other }) => {
    const published = { ...MESSAGE, isPublic: true };
    const { changesPublic } = changeOf(recordOf(published), recordOf({ ...published, [field]: other }));
    expect(changesPublic).toBe(audiences.includes('public'));
  },
);

test('every stored field of a message declares its audiences', () => {
  expect(STORED_FIELDS.filter((field) => field !== '_id').sort()).toEqual(Object.keys(FIELDS).sort());
});
