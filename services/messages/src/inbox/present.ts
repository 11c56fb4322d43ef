import { truncateToMinute } from '@najwa/common';
import type { DataKeys, PermanentKey } from '@najwa/product';
import type { User } from '@najwa/proto/auth';
import { LIMITS, type Answer } from '@najwa/proto/http';
import { hidesReadingOf } from '../clients/auth.js';
import {
  type Accepted,
  asSent,
  isLater,
  isPublished,
  lastArrival,
  placeOf,
  type MessageRecord,
  type ReplyRecord,
} from '../store/message-record.js';

export const presenterOf = async ({ dataKeys }: { dataKeys: DataKeys }): Promise<Presenter> =>
  new Presenter(await dataKeys.permanentKey());

export interface Sent {
  message: Accepted;
  /** Null if an earlier try answered with a generated token. */
  wayBack: string | null;
  isLater: boolean;
}

export interface WayBack {
  /** Under which events name it: of the first message, as its sender knows it, also if that is gone. */
  id: number;
  /** With the id and time that the sender knows. */
  message: MessageRecord;
  recipient: User;
  /** Null if the recipient hides reading. */
  isRead: boolean | null;
  /** Of the last message, like `canDelete`. */
  isLastRead: boolean | null;
  canDelete: boolean;
  /** As stored. The first is `message`. */
  turns: MessageRecord[];
  /** One of the two has ended it, or the recipient takes no further messages. */
  hasEnded: boolean;
  canWrite: boolean;
}

interface TurnView {
  /** Of the message and of its answer. */
  ids: [number, number];
  imageUrl: string | null;
  audioUrl: string | null;
  timeOf: (time: Date) => string;
}

/** Counts within the conversation, since the recipient knows the message's id. */
export const turnIdOf = (message: MessageRecord): number => 2 * placeOf(message).turn - 1;

const ORNAMENT_BYTES = 8;

/** Hex. A keyed hash of the id: stable, reveals no id, differs per installation. */
const ornamentOf = (key: PermanentKey, messageId: number): string =>
  Buffer.from(key.tag('ornament', messageId), 'base64url').subarray(0, ORNAMENT_BYTES).toString('hex');

/** One view per audience. Each lists its fields. */
export class Presenter {
  readonly #key;

  constructor(key: PermanentKey) {
    this.#key = key;
  }

  recipientView(message: MessageRecord) {
    return {
      ...this.#written(message),
      createdAt: truncateToMinute(message.createdAt),
      isRead: message.isRead,
      isPublic: message.isPublic,
      ...(message.pin && { pinned: true as const }),
      reply: replyView(message.reply),
      conversationId: message.conversation?.id ?? null,
      ...(message.conversation?.hasEnded && { hasEnded: true as const }),
    };
  }
  recipientTurns(message: MessageRecord) {
    const { imageUrl, audioUrl } = this.#written(message);
    const ids: [number, number] = [message.id, message.reply?.id ?? 0];
    return this.#turnsOf(message, { ids, imageUrl, audioUrl, timeOf: truncateToMinute });
  }
  listedView(message: MessageRecord) {
    const { aside } = message;
    const reason = aside?.reason;
    return {
      ...this.recipientView(message),
      ...((reason === 'blocked' || reason === 'filtered') && {
        reason,
        ...(aside?.matched != null && { matched: aside.matched }),
      }),
    };
  }
  /** On the public page, always as read: reading is private. */
  publicView(message: MessageRecord) {
    return {
      ...this.#written(message),
      createdAt: truncateToMinute(message.createdAt),
      isRead: true,
      isPublic: true,
      ...(message.pin && { pinned: true as const }),
      reply: replyView(message.reply),
    };
  }
  publicPageView(message: MessageRecord, { username, name }: User) {
    return { ...this.publicView(message), recipient: { username, name } };
  }
  /** @param recipient undefined while the account is closed, whose reading setting is then unknown */
  senderView(message: MessageRecord, senderUserId: number, recipient: User | undefined, canWrite: boolean) {
    return {
      ...this.#written(message),
      createdAt: message.createdAt.toISOString(),
      isRead: message.isRead && recipient !== undefined && !hidesReadingOf(recipient),
      isPublic: message.isPublic,
      ...(message.pin && { pinned: true as const }),
      reply: replyView(message.reply),
      senderUserId,
      recipient: recipient ? { username: recipient.username, name: recipient.name } : null,
      warnedAt: message.warnedAt?.toISOString() ?? null,
      ...(canWrite && { canWrite: true as const }),
      ...onItsWay(message),
    };
  }
  /** Omits message id and file URLs, which the recipient sees too. */
  wayBackView(
    token: string,
    { message, recipient, isRead, isLastRead, canDelete, turns, hasEnded, canWrite }: WayBack,
    before = Infinity,
  ) {
    const { ornament, content, prompt, imageUrl, audioUrl, audioDuration, audioPeaks } = this.#written(message);
    const { id, username, name, avatarName } = recipient;
    return {
      recipient: { id, username, name, avatar: avatarName === '' ? null : `/image/${avatarName}` },
      ornament,
      content,
      ...(prompt && { prompt }),
      imageUrl: imageUrl && `/ways-back/${token}/image`,
      audioUrl: audioUrl && `/ways-back/${token}/audio`,
      audioDuration,
      audioPeaks,
      createdAt: message.createdAt.toISOString(),
      isRead,
      isPublic: isPublished(message),
      reply: message.reply && { content: message.reply.content, createdAt: message.reply.createdAt.toISOString() },
      canDelete,
      turns: turns
        .flatMap((turn) => this.#senderTurns(token, turn))
        .filter(({ id: place }) => place < before)
        .slice(-LIMITS.turns),
      isLastRead,
      canWrite,
      hasEnded,
      ...onItsWay(turns.at(-1)),
    };
  }
  /** Same for every try, apart from the way back. */
  sentView({ message, wayBack, isLater }: Sent) {
    const { id, ...view } = this.#written(message);
    return {
      ...view,
      ...(isLater ? { arrivesBy: lastArrival(message.createdAt).toISOString() } : { id }),
      createdAt: truncateToMinute(message.createdAt),
      isRead: false,
      isPublic: false,
      reply: null,
      ...(wayBack !== null && { wayBack: `/r/${wayBack}` }),
    };
  }

  /** Nothing about the sender. */
  #written({ id, sentAs, userId, content, imageName, audio, prompt }: Accepted) {
    return {
      id,
      userId,
      // Arrival does not change the drawing.
      ornament: ornamentOf(this.#key, sentAs && sentAs.id < 0 ? -sentAs.id : id),
      content,
      imageUrl: imageName && `/image/${imageName}`,
      audioUrl: audio && `/audio/stream/${audio.name}`,
      audioType: audio?.contentType ?? null,
      audioDuration: audio && Math.max(1, Math.round(audio.duration)),
      audioPeaks: audio?.peaks ?? null,
      emoji: null,
      ...(prompt && { prompt: { id: prompt.id, content: prompt.content } }),
    };
  }
  #senderTurns(token: string, stored: MessageRecord) {
    const message = asSent(stored);
    const id = turnIdOf(stored);
    const fileUrl = (kind: 'image' | 'audio') => `/ways-back/${token}/${kind}?turn=${id}`;
    return this.#turnsOf(message, {
      ids: [id, id + 1],
      imageUrl: message.imageName && fileUrl('image'),
      audioUrl: message.audio && fileUrl('audio'),
      timeOf: (time) => time.toISOString(),
    });
  }
  #turnsOf(message: MessageRecord, { ids: [id, replyId], timeOf, ...files }: TurnView): Answer<'getConversation'> {
    const { ornament, content, audioDuration, audioPeaks } = this.#written(message);
    const { createdAt, reply } = message;
    const times = { createdAt: timeOf(createdAt) };
    const sent = { id, from: 'sender' as const, content, ...files, audioDuration, audioPeaks, ...times, ornament };
    if (reply === null) return [sent];
    const none = { imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null, ornament: null };
    const answered = { content: reply.content, createdAt: timeOf(reply.createdAt) };
    return [sent, { ...none, id: replyId, from: 'recipient', ...answered }];
  }
}

const onItsWay = (message: MessageRecord | undefined) =>
  message?.aside?.at && isLater(message) ? { arrivesBy: lastArrival(message.aside.at).toISOString() } : {};

const replyView = (reply: ReplyRecord | null) =>
  reply && { content: reply.content, createdAt: truncateToMinute(reply.createdAt) };

export function presentReply(messageId: number, { id, content, createdAt }: ReplyRecord) {
  return { id, messageId, content, createdAt: truncateToMinute(createdAt) };
}
