import type { OutboxEntry, WithOutbox } from '@najwa/common/amqp';
import type { Submission } from '@najwa/common/limits';
import { LIMITS, preview } from '@najwa/proto/http/client';
import { indexedWords } from '@najwa/proto/words';
import { Schema } from 'mongoose';

export interface ReplyRecord {
  id: number;
  content: string;
  createdAt: Date;
  submission: Submission;
}

export type ReplacedReply = Omit<ReplyRecord, 'content'>;

export interface AudioRecord {
  name: string;
  contentType: string;
  /** Seconds. */
  duration: number;
  /** Waveform, 0 to 100. */
  peaks: number[];
}

/** HMACs under the recipient's key: they recognise a sender among messages to one recipient. */
export interface SenderTags {
  account: string | null;
  visitor: string;
  /** Under the day's salts, and meaningless without them. */
  networks: string[];
}

export type { AccountKey } from '@najwa/product';

/** Replaces the id of a deleted account. */
export const NO_ACCOUNT = 0;

const EXCERPT_LENGTH = 80;

export const excerptOf = (content: string): string => preview(content.replace(/\s+/g, ' '), EXCERPT_LENGTH);

/**
 * `blocked` and `filtered` by the recipient, `held` and `removed` by moderators, `deleted` by the recipient with undo,
 * `later` by its sender.
 */
export type AsideReason = 'blocked' | 'filtered' | 'held' | 'removed' | 'deleted' | 'later';

export interface Aside {
  reason: AsideReason;
  /** With `filtered`: the recipient's word, or the ready list's name. */
  matched: string | null;
  /** Missing once discarded, which keeps the sweeps' index small. */
  at?: Date;
  /** Hidden from the recipient since. The sender's list keeps the message. */
  discardedAt?: Date;
  actionId?: number;
  /** Time of delivery: with `later`, and with `held` after the action is reversed. */
  deliverAt?: Date;
  /** With `removed`: state to restore if the action is reversed. Null for the inbox. */
  otherwise?: Aside | null;
}

export const isLater = ({ aside }: Pick<MessageRecord, 'aside'>): boolean => aside?.reason === 'later';

const LATER_MS = LIMITS.laterHours * 60 * 60 * 1000;

export const lastArrival = (since: Date): Date => new Date(since.getTime() + LATER_MS);

export const drawArrival = (since: Date): Date => new Date(since.getTime() + Math.random() * LATER_MS + 1);

export const discarded = ({ at: _at, ...aside }: Aside, discardedAt = new Date()): Aside => ({ ...aside, discardedAt });

export const isShownAside = ({ reason, discardedAt }: Aside): boolean =>
  (reason === 'blocked' || reason === 'filtered') && !discardedAt;

/** A question on the recipient's page. */
export interface Prompt {
  id: number;
  content: string;
}

export interface Pin {
  /** Recipient id, for a sparse index. */
  owner: number;
  place: number;
}

export type BulkAction = 'read' | 'publish' | 'unpublish' | 'delete';

/** The latest bulk change of this message. */
export interface Undo {
  action: BulkAction;
  /** Hash of the undo token. */
  by: string;
  until: Date;
  /** Removed by the change. */
  pin?: Pin;
}

/** A place in a conversation: a message, and one more for each answer. */
export interface Conversation {
  /** Id of the first message. */
  id: number;
  /** Its id before a delivery. The way back is for it. */
  sentId: number;
  /** From 1. A message and its answer have one. */
  turn: number;
  hasEnded?: true;
}

export interface MessageRecord {
  id: number;
  /**
   * Original id and time of a held message, which gets new ones on delivery. Negative if it came later: then its sender
   * sees the new ones, too.
   */
  sentAs?: { id: number; at: Date };
  /** Recipient. `NO_ACCOUNT` once the account is deleted and only the sender keeps the message. */
  userId: number;
  /** Tag of the sending account. Null for a visitor. */
  sender: string | null;
  hiddenFromSender: boolean;
  content: string;
  isRead: boolean;
  isPublic: boolean;
  imageName: string | null;
  audio: AudioRecord | null;
  createdAt: Date;
  /** Incremented by every change that publishes an event. */
  revision: number;
  /** Embedded, so that one write saves the reply and marks the message as read. */
  reply: ReplyRecord | null;
  /** A late retry must not restore one of these. */
  replacedReplies?: ReplacedReply[];
  submission: Submission;
  aside: Aside | null;
  /** Missing once the recipient's account is deleted. */
  tags?: SenderTags;
  /** The sender, for moderation. The key is outside the database. Missing after retention. */
  sealedSender?: string | null;
  isReported?: boolean;
  /** The recipient's account is closed: files are unreadable even if published. */
  isWithheld?: boolean;
  warnedAt?: Date | null;
  /** Hash of the sender's way-back token, that of the conversation. Missing once either account is deleted. */
  wayBack?: string | undefined;
  undo?: Undo | null;
  pin?: Pin | null;
  /** Snapshot of the question that this answers. */
  prompt?: Prompt | undefined;
  /** Missing for a single message, and for the first one until its recipient sees the second. */
  conversation?: Conversation;
}

/** As events, the ledger and the way back know it, before and after a delivery. */
export const originOf = ({ id, createdAt, sentAs }: Pick<MessageRecord, 'id' | 'createdAt' | 'sentAs'>) =>
  sentAs ? { id: Math.abs(sentAs.id), at: sentAs.at } : { id, at: createdAt };

export const placeOf = (message: MessageRecord): Conversation =>
  message.conversation ?? { id: message.id, sentId: originOf(message).id, turn: 1 };

export type EarlierMessage = MessageRecord & { deletedAt?: Date | null };

export type NewMessage = Pick<
  MessageRecord,
  | 'userId'
  | 'sender'
  | 'content'
  | 'imageName'
  | 'audio'
  | 'submission'
  | 'aside'
  | 'tags'
  | 'sealedSender'
  | 'createdAt'
  | 'wayBack'
  | 'prompt'
  | 'conversation'
>;

/** As its sender wrote it. */
export type Accepted = Pick<
  MessageRecord,
  'id' | 'createdAt' | 'sentAs' | 'userId' | 'content' | 'imageName' | 'audio' | 'prompt'
>;

export const isPublished = ({ isPublic, aside }: Pick<MessageRecord, 'isPublic' | 'aside'>): boolean =>
  isPublic && aside === null;

export interface Change {
  after: MessageRecord;
  /** Whether the public page changes. Other changes must not show there. */
  changesPublic: boolean;
}

/** Null if nothing is public. */
function publicPartOf(message: MessageRecord): unknown {
  if (!isPublished(message)) return null;
  const { userId, content, imageName, audio, reply, pin } = message;
  return [userId, content, imageName, audio, reply?.content, reply?.createdAt, pin?.place];
}

export const changeOf = (before: MessageRecord, after: MessageRecord): Change => ({
  after,
  changesPublic: JSON.stringify(publicPartOf(before)) !== JSON.stringify(publicPartOf(after)),
});

/** The id and time that the sender knows. */
export const asSent = (message: MessageRecord): MessageRecord => {
  const { sentAs } = message;
  return sentAs && sentAs.id > 0 ? { ...message, id: sentAs.id, createdAt: sentAs.at } : message;
};

export interface MessageChange {
  set: Partial<
    Pick<
      MessageRecord,
      | 'isRead'
      | 'isPublic'
      | 'reply'
      | 'replacedReplies'
      | 'hiddenFromSender'
      | 'aside'
      | 'isReported'
      | 'isWithheld'
      | 'warnedAt'
      | 'undo'
      | 'pin'
      | 'conversation'
      | 'wayBack'
      | 'prompt'
    >
  >;
  events: (change: Change) => OutboxEntry[];
}

export type ReadFilter = 'all' | 'unread' | 'read';

/** `userId` is negative while set aside, so that no inbox query matches. */
export interface MessageDocument extends Omit<MessageRecord, 'aside' | 'sender'>, WithOutbox {
  /** Indexed words of text and reply, as sensitive as both. A change of folding or tokenising needs a migration. */
  words: string[];
  /** Words of a message in a short inbox, which is scanned. `words` is then `NOT_INDEXED`. */
  unindexedWords?: string[];
  aside?: Aside;
  senderUserId: string | null;
}

/** Placeholder in the word index that matches no search. */
export const NOT_INDEXED = '';

export const wordsOf = ({ content, reply }: Pick<MessageRecord, 'content' | 'reply'>): string[] =>
  indexedWords(`${content} ${reply?.content ?? ''}`);

const pin = { type: new Schema<Pin>({ owner: Number, place: Number }, { _id: false }), default: undefined };
const submission = { key: String, content: String };
const asideFields = { reason: String, matched: String, at: Date, discardedAt: Date };

export const messageSchema = new Schema<MessageDocument>(
  {
    id: Number,
    sentAs: { type: new Schema({ id: Number, at: Date }, { _id: false, id: false }), default: undefined },
    userId: Number,
    senderUserId: String,
    hiddenFromSender: Boolean,
    content: String,
    isRead: Boolean,
    isPublic: Boolean,
    imageName: String,
    audio: {
      type: new Schema<AudioRecord>(
        { name: String, contentType: String, duration: Number, peaks: [Number] },
        { _id: false },
      ),
      default: null,
    },
    createdAt: Date,
    revision: Number,
    reply: {
      type: new Schema<ReplyRecord>(
        { id: Number, content: String, createdAt: Date, submission },
        { _id: false, id: false },
      ),
      default: null,
    },
    replacedReplies: {
      type: [new Schema<ReplacedReply>({ id: Number, createdAt: Date, submission }, { _id: false, id: false })],
      default: undefined,
    },
    submission,
    aside: {
      type: new Schema<Aside>(
        {
          ...asideFields,
          actionId: Number,
          deliverAt: Date,
          otherwise: { type: new Schema<Aside>(asideFields, { _id: false }) },
        },
        { _id: false },
      ),
      default: undefined,
    },
    tags: {
      type: new Schema<SenderTags>({ account: String, visitor: String, networks: [String] }, { _id: false }),
      default: undefined,
    },
    sealedSender: String,
    isReported: Boolean,
    isWithheld: Boolean,
    warnedAt: Date,
    wayBack: String,
    undo: {
      type: new Schema<Undo>({ action: String, by: String, until: Date, pin }, { _id: false }),
      default: undefined,
    },
    pin,
    prompt: {
      type: new Schema<Prompt>({ id: Number, content: String }, { _id: false, id: false }),
      default: undefined,
    },
    conversation: {
      type: new Schema<Conversation>(
        { id: Number, sentId: Number, turn: Number, hasEnded: Boolean },
        { _id: false, id: false },
      ),
      default: undefined,
    },
    words: { type: [String], default: undefined },
    unindexedWords: { type: [String], default: undefined },
    deletedAt: Date,
    outbox: [
      {
        _id: false,
        id: String,
        at: Date,
        body: String,
        counts: {
          type: [
            {
              _id: false,
              userId: Schema.Types.Mixed,
              received: Number,
              read: Number,
              public: Number,
              sent: Number,
              arrived: Number,
              held: Number,
            },
          ],
          default: undefined,
        },
        ledger: {
          type: new Schema({ kind: String, sentId: Number, sentAt: Date, revision: Number }, { _id: false }),
          default: undefined,
        },
      },
    ],
  },
  { collection: 'messages', id: false, versionKey: false },
);

export const STORED_FIELDS: readonly string[] = [
  ...new Set(Object.keys(messageSchema.paths).map((path) => path.replace(/\..*/, ''))),
];
