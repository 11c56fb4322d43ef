import { truncateToMinute } from '@najwa/common';
import type { DataKeys, PermanentKey } from '@najwa/product';
import type { User } from '@najwa/proto/auth';
import { hidesReadingOf } from '../clients/auth.js';
import { type Accepted, isPublished, type MessageRecord, type ReplyRecord } from '../store/message-record.js';

/** The views of messages, one for each who may see one. Each lists what it shows. */
export type Presenter = ReturnType<typeof presenterWith>;

/** The views of messages, with the key that their ornaments come from. */
export const presenterOf = async ({ dataKeys }: { dataKeys: DataKeys }): Promise<Presenter> =>
  presenterWith(await dataKeys.permanentKey());

type Written = Omit<Accepted, 'createdAt'>;

/** A submission that was taken. */
export interface Sent {
  message: Accepted;
  /** Token of the sender's way back. Null if an earlier try created the message and got a made-up token in its answer. */
  wayBack: string | null;
}

/** A message as its sender sees it. */
export interface WayBack {
  id: number;
  /** As its sender knows it. */
  message: MessageRecord;
  recipient: User;
  /** Null if the recipient does not tell. */
  isRead: boolean | null;
  canDelete: boolean;
}

const ORNAMENT_BYTES = 8;

/**
 * The bits of a message's ornament, hexadecimal: of its id alone, under a key that never leaves this service. So its sender knows
 * it again wherever it is shown, ids cannot be told by it, and two installations draw the same id differently.
 */
const ornamentOf = (key: PermanentKey, messageId: number): string =>
  Buffer.from(key.tag('ornament', messageId), 'base64url').subarray(0, ORNAMENT_BYTES).toString('hex');

export function presenterWith(key: PermanentKey) {
  /** The message as it was written, without anything of its sender. It is in each view. */
  const written = ({ id, userId, content, imageName, audio, prompt }: Written) => ({
    id,
    userId,
    ornament: ornamentOf(key, id),
    content,
    imageUrl: imageName && `/image/${imageName}`,
    audioUrl: audio && `/audio/stream/${audio.name}`,
    audioType: audio?.contentType ?? null,
    audioDuration: audio && Math.max(1, Math.round(audio.duration)),
    audioPeaks: audio?.peaks ?? null,
    emoji: null,
    ...(prompt && { prompt: { id: prompt.id, content: prompt.content } }),
  });

  const recipientView = (message: MessageRecord) => ({
    ...written(message),
    createdAt: truncateToMinute(message.createdAt),
    isRead: message.isRead,
    isPublic: message.isPublic,
    ...(message.pin && { pinned: true as const }),
    reply: replyView(message.reply),
  });

  /** In a folder of its recipient. */
  const listedView = (message: MessageRecord) => {
    const { aside } = message;
    const reason = aside?.reason;
    return {
      ...recipientView(message),
      ...((reason === 'blocked' || reason === 'filtered') && {
        reason,
        ...(aside?.matched != null && { matched: aside.matched }),
      }),
    };
  };

  /** On its owner's page. It is shown as read: reading it is nobody else's business. */
  const publicView = (message: MessageRecord) => ({
    ...written(message),
    createdAt: truncateToMinute(message.createdAt),
    isRead: true,
    isPublic: true,
    ...(message.pin && { pinned: true as const }),
    reply: replyView(message.reply),
  });

  /** By itself, with the account whose page it is on. */
  const publicPageView = (message: MessageRecord, { username, name }: User) => ({
    ...publicView(message),
    recipient: { username, name },
  });

  /**
   * In the list of the account that sent it.
   * @param recipient undefined while the account is closed: whether it tells of reading is not known then
   */
  const senderView = (message: MessageRecord, senderUserId: number, recipient: User | undefined) => ({
    ...written(message),
    createdAt: message.createdAt.toISOString(),
    isRead: message.isRead && recipient !== undefined && !hidesReadingOf(recipient),
    isPublic: message.isPublic,
    ...(message.pin && { pinned: true as const }),
    reply: replyView(message.reply),
    senderUserId,
    recipient: recipient ? { username: recipient.username, name: recipient.name } : null,
    warnedAt: message.warnedAt?.toISOString() ?? null,
  });

  /**
   * For whoever has its way back: no id of the message and no address of its files, which its recipient sees as well.
   * @param token of the way back
   */
  const wayBackView = (token: string, { message, recipient, isRead, canDelete }: WayBack) => {
    const { ornament, content, prompt, imageUrl, audioUrl, audioDuration, audioPeaks } = written(message);
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
    };
  };

  /** The answer to a submission, for each try alike. Only the way back may be missing. */
  const sentView = ({ message, wayBack }: Sent) => ({
    ...written(message),
    createdAt: truncateToMinute(message.createdAt),
    isRead: false,
    isPublic: false,
    reply: null,
    ...(wayBack !== null && { wayBack: `/r/${wayBack}` }),
  });

  return { recipientView, listedView, publicView, publicPageView, senderView, wayBackView, sentView };
}

const replyView = (reply: ReplyRecord | null) =>
  reply && { content: reply.content, createdAt: truncateToMinute(reply.createdAt) };

export function presentReply(messageId: number, { id, content, createdAt }: ReplyRecord) {
  return { id, messageId, content, createdAt: truncateToMinute(createdAt) };
}
