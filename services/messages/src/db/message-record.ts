import type { OutboxEntry, Submission, WithOutbox } from '@najwa/common';
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

export interface MessageRecord {
  id: number;
  /** The recipient. */
  userId: number;
  /** Shown to the sender only. */
  senderUserId: number | null;
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
}

/** The message that an earlier request with the same idempotency key created. */
export type EarlierMessage = MessageRecord & { deletedAt?: Date | null };

export type NewMessage = Pick<
  MessageRecord,
  'userId' | 'senderUserId' | 'content' | 'imageName' | 'audio' | 'submission'
>;

/** The fields that a change sets, and the events that it causes. */
export interface MessageChange {
  set: Partial<Pick<MessageRecord, 'isRead' | 'isPublic' | 'reply' | 'replacedReplies' | 'hiddenFromSender'>>;
  events: (after: MessageRecord) => OutboxEntry[];
}

export type ReadFilter = 'all' | 'unread' | 'read';
export type ReceivedFilter = ReadFilter | 'public';

export interface MessageDocument extends MessageRecord, WithOutbox {}

const submission = { key: String, content: String };

export const messageSchema = new Schema<MessageDocument>(
  {
    id: Number,
    userId: Number,
    senderUserId: Number,
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
    deletedAt: Date,
    outbox: [
      {
        _id: false,
        id: String,
        at: Date,
        body: String,
        counts: {
          type: [{ _id: false, userId: Number, received: Number, read: Number, public: Number, sent: Number }],
          default: undefined,
        },
      },
    ],
  },
  { collection: 'messages', id: false, versionKey: false },
);
