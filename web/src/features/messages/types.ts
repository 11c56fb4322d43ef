export interface Reply {
  content: string;
  createdAt: string;
}

/** The fields of every message. */
export interface Message {
  id: number;
  /** The recipient. */
  userId: number;
  content: string;
  imageUrl: string | null;
  audioUrl: string | null;
  audioType: string | null;
  audioDuration: number | null;
  /** Waveform heights, from 0 to 100. */
  audioPeaks: number[] | null;
  emoji: string | null;
  isRead: boolean;
  isPublic: boolean;
  createdAt: string;
  /** The recipient's reply. */
  reply: Reply | null;
}

export type ReceivedMessage = Message;

/** A message that the user sent. The recipient is null if the account is gone. */
export interface SentMessage extends Message {
  senderUserId: number;
  recipient: { username: string; name: string } | null;
}

export interface MessageStats {
  received: number;
  sent: number;
  read: number;
  unread: number;
}

export type Sort = 'newest' | 'oldest';
export type ReadFilter = 'all' | 'unread' | 'read';

/** Filters of the dashboard. */
export type Filter = ReadFilter | 'received' | 'sent';

export interface Page<T> {
  items: T[];
  /** The cursor of the next page. Null at the end. */
  next: string | null;
}

/** An entry of the dashboard's list. */
export type Entry = { kind: 'received'; message: ReceivedMessage } | { kind: 'sent'; message: SentMessage };
