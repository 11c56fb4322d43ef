import { truncateToMinute, type LastingKey } from '@najwa/common';
import type { User } from '@najwa/proto/auth';
import type { MessageRecord, ReplyRecord } from '../db/message-record.js';
import type { Sent } from '../domain/send.js';
import type { MessagesContext } from '../context.js';
import { ornamentOf } from '../domain/ornaments.js';
import { hidesReadingOf } from '../domain/ways-back.js';

/** The views of messages. */
export type Presenter = ReturnType<typeof presenterWith>;

/** The views of messages, with the key that their ornaments come from. */
export const presenterOf = async ({ dataKeys }: MessagesContext): Promise<Presenter> =>
  presenterWith(await dataKeys.lasting());

function presenterWith(key: LastingKey) {
  /** A message for anyone who may read it. No field says who sent it. */
  const presentMessage = (message: MessageRecord) => {
    const { id, userId, content, isRead, isPublic, imageName, audio, createdAt, reply, pin, prompt } = message;
    return {
      id,
      userId,
      ornament: ornamentOf(key, id),
      content,
      isRead,
      isPublic,
      ...(pin && { pinned: true as const }),
      imageUrl: imageName && `/image/${imageName}`,
      audioUrl: audio && `/audio/stream/${audio.name}`,
      audioType: audio?.contentType ?? null,
      audioDuration: audio && Math.max(1, Math.round(audio.duration)),
      audioPeaks: audio?.peaks ?? null,
      emoji: null,
      createdAt: truncateToMinute(createdAt),
      reply: reply && { content: reply.content, createdAt: truncateToMinute(reply.createdAt) },
      ...(prompt && { prompt: { id: prompt.id, content: prompt.content } }),
    };
  };

  /** A message for whoever sends it, with the way back to it. */
  const presentSending = ({ message, wayBack }: Sent) => ({
    ...presentMessage(message),
    ...(wayBack !== null && { wayBack: `/r/${wayBack}` }),
  });

  /** A message in a folder of its recipient. */
  const presentListedMessage = (message: MessageRecord) => {
    const { aside } = message;
    const reason = aside?.reason;
    return {
      ...presentMessage(message),
      ...((reason === 'blocked' || reason === 'filtered') && {
        reason,
        ...(aside?.matched != null && { matched: aside.matched }),
      }),
    };
  };

  /** A message on its owner's page. It is shown as read: reading it is nobody else's business. */
  const presentPublished = (message: MessageRecord) => ({ ...presentMessage(message), isRead: true });

  /** A published message by itself, with the account whose page it is on. */
  const presentPublicMessage = (message: MessageRecord, { username, name }: User) => {
    return { ...presentPublished(message), recipient: { username, name } };
  };

  /**
   * A message for the account that sent it.
   * @param recipient undefined while the account is closed: whether it tells of reading is not known then
   */
  const presentSentMessage = (message: MessageRecord, senderUserId: number, recipient: User | undefined) => {
    return {
      ...presentMessage(message),
      isRead: message.isRead && recipient !== undefined && !hidesReadingOf(recipient),
      createdAt: message.createdAt.toISOString(),
      senderUserId,
      recipient: recipient ? { username: recipient.username, name: recipient.name } : null,
      warnedAt: message.warnedAt?.toISOString() ?? null,
    };
  };

  return {
    message: presentMessage,
    sending: presentSending,
    listed: presentListedMessage,
    published: presentPublished,
    public: presentPublicMessage,
    sent: presentSentMessage,
  };
}

export function presentReply(messageId: number, { id, content, createdAt }: ReplyRecord) {
  return { id, messageId, content, createdAt: truncateToMinute(createdAt) };
}
