import type { OutboxEntry, WithOutbox } from '@najwa/common/amqp';
import type { Submission } from '@najwa/common/limits';
import { preview } from '@najwa/proto/http/client';
import { indexedWords } from '@najwa/proto/words';
import { Schema } from 'mongoose';

export interface ReplyRecord {
  id: number;
  content: string;
  createdAt: Date;
  submission: Submission;
}

/** A reply without its text. */
export type ReplacedReply = Omit<ReplyRecord, 'content'>;

/** A voice message's sound. The bytes are in media. */
export interface AudioRecord {
  name: string;
  contentType: string;
  /** In seconds, measured. */
  duration: number;
  /** Waveform, from 0 to 100. */
  peaks: number[];
}

/**
 * Marks to recognise the sender of a message by, among the messages to one recipient only: HMACs under that
 * recipient's key.
 */
export interface SenderTags {
  /** Null for a visitor. */
  account: string | null;
  visitor: string;
  /** Under the salts of the day. They say nothing once those are forgotten. */
  networks: string[];
}

export type { AccountKey } from '@najwa/product';

/** In place of an account that is gone. */
export const NOBODY = 0;

const EXCERPT_LENGTH = 80;

/** The beginning of a text, on one line. */
export const excerptOf = (content: string): string => preview(content.replace(/\s+/g, ' '), EXCERPT_LENGTH);

/**
 * By a block or a filter of the recipient, by moderators (its sender may not send, or it was removed), or by its
 * recipient, who deletes it and may take that back.
 */
export type AsideReason = 'blocked' | 'filtered' | 'held' | 'removed' | 'deleted';

/** Why the recipient does not see a message in the inbox. */
export interface Aside {
  reason: AsideReason;
  /** With `filtered`: the recipient's word, or the name of the ready list. */
  matched: string | null;
  /** Missing once it is discarded: such messages stay, and must not fill the index by which sweeps find the others. */
  at?: Date;
  /** Set once the recipient does not see it any more. The sender's list keeps it. */
  discardedAt?: Date;
  /** With `held` and `removed`: the moderators' action. */
  actionId?: number;
  /** With `held`, once the action was taken back: when it is delivered. */
  deliverAt?: Date;
  /** With `removed`: what it returns to if the action is taken back. Null for the inbox. */
  otherwise?: Aside | null;
}

/** Discards what was set aside. */
export const discarded = ({ at: _at, ...aside }: Aside, discardedAt = new Date()): Aside => ({ ...aside, discardedAt });

/** True for messages that their recipient finds in the folder of those that were set aside. */
export const isShownAside = ({ reason, discardedAt }: Aside): boolean =>
  (reason === 'blocked' || reason === 'filtered') && !discardedAt;

/** A question of the recipient. */
export interface Prompt {
  id: number;
  content: string;
}

/** The place of a published message at the top of its recipient's page. */
export interface Pin {
  /** The recipient, for an index of pinned messages alone. */
  owner: number;
  place: number;
}

export type BulkAction = 'read' | 'publish' | 'unpublish' | 'delete';

/** The latest change of many messages that this one took part in. */
export interface Undo {
  action: BulkAction;
  /** Hash of the token that takes it back. */
  by: string;
  /** A deleted message is gone for good after this. */
  until: Date;
  /** The pin that the change took. Taking the change back gives it again. */
  pin?: Pin;
}

export interface MessageRecord {
  id: number;
  /** Its id and time for its sender, of a message that moderators held: to its recipient it is a new one. */
  sentAs?: { id: number; at: Date };
  /** The recipient. `NOBODY` once the account is gone: only the sender's list has the message then. */
  userId: number;
  /** The tag of the account that sent it. Null for a visitor. */
  sender: string | null;
  hiddenFromSender: boolean;
  content: string;
  isRead: boolean;
  isPublic: boolean;
  imageName: string | null;
  audio: AudioRecord | null;
  createdAt: Date;
  /** Incremented by every change that is published as an event. */
  revision: number;
  /** Embedded, so that saving a reply and marking its message as read is one write. */
  reply: ReplyRecord | null;
  /** The latest replies that were replaced. A late retry of one of them must not restore it. */
  replacedReplies?: ReplacedReply[];
  submission: Submission;
  /** Null for a message in the inbox. */
  aside: Aside | null;
  /** Missing once the recipient's account is gone. */
  tags?: SenderTags;
  /** The sender, for moderation. Only a key outside the database opens it. Missing once the retention is over. */
  sealedSender?: string | null;
  isReported?: boolean;
  /** Its recipient's account is closed, so nobody may read the files of the message, published or not. */
  isWithheld?: boolean;
  /** When a moderator warned its sender about it. */
  warnedAt?: Date | null;
  /** Hash of the token with which its sender comes back. Missing once the account of either is gone. */
  wayBack?: string;
  /** While a change can be taken back. */
  undo?: Undo | null;
  pin?: Pin | null;
  /** The question that the message answers, as it was then. */
  prompt?: Prompt;
}

/** The message that an earlier request with the same idempotency key created. */
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
>;

/** A submission that was taken, as its sender wrote it. */
export type Accepted = Pick<
  MessageRecord,
  'id' | 'createdAt' | 'userId' | 'content' | 'imageName' | 'audio' | 'prompt'
>;

/** True for messages that everybody sees. */
export const isPublished = ({ isPublic, aside }: Pick<MessageRecord, 'isPublic' | 'aside'>): boolean =>
  isPublic && aside === null;

/** A message after a change. */
export interface Change {
  after: MessageRecord;
  /** Others than its recipient and sender see the change. Nothing public may show any other. */
  changesPublic: boolean;
}

/** The part of a message that everybody sees. Null if that is nothing. */
function publicPartOf(message: MessageRecord): unknown {
  if (!isPublished(message)) return null;
  const { userId, content, imageName, audio, reply, pin } = message;
  return [userId, content, imageName, audio, reply?.content, reply?.createdAt, pin?.place];
}

export const changeOf = (before: MessageRecord, after: MessageRecord): Change => ({
  after,
  changesPublic: JSON.stringify(publicPartOf(before)) !== JSON.stringify(publicPartOf(after)),
});

/** A message under the id and the time that its sender knows. */
export const asSent = (message: MessageRecord): MessageRecord => ({
  ...message,
  id: message.sentAs?.id ?? message.id,
  createdAt: message.sentAs?.at ?? message.createdAt,
});

/** The fields that a change sets, and the events that it causes. */
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
    >
  >;
  events: (change: Change) => OutboxEntry[];
}

export type ReadFilter = 'all' | 'unread' | 'read';

/** A stored message. `userId` is negative if it is set aside, so that no list of the inbox finds it. */
export interface MessageDocument extends Omit<MessageRecord, 'aside' | 'sender'>, WithOutbox {
  /**
   * The words of text and reply, for searches, which the index of words has. They say as much as both, so they are changed
   * and deleted with them. After a change of how texts are folded or cut into words, a migration has to make them anew.
   */
  words: string[];
  /** The same words of a message that is found by looking through its inbox. `words` is `NOT_INDEXED` then. */
  unindexedWords?: string[];
  /** Missing in the inbox. */
  aside?: Aside;
  /** `MessageRecord.sender`. */
  senderUserId: string | null;
}

/** One entry in the index of words, which no word of a search begins, for the messages without others. */
export const NOT_INDEXED = '';

/** The words by which a message is found. */
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

/** Names of what a stored message may have. */
export const STORED_FIELDS: readonly string[] = [
  ...new Set(Object.keys(messageSchema.paths).map((path) => path.replace(/\..*/, ''))),
];
