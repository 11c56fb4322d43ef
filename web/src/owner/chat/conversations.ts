import { isExpired } from '../../lib/kept-for.js';
import { device } from '../../lib/storage.js';
import { createKey } from '../../lib/submission-key.js';

export interface ChatMessage {
  id: string;
  role: 'user' | 'bot';
  content: string;
  timestamp: string;
  hasImage: boolean;
  imageUrl: string | null;
  /** No answer arrived. The UI shows an apology. */
  failed: boolean;
}

/** New pictures are shown from a data URL. */
export interface ShownMessage extends ChatMessage {
  preview?: string;
}

export interface Participant {
  id: string;
  name: string;
  isVisitor: boolean;
}

const MAX_MESSAGES = 50;

interface Conversation {
  name: string;
  isVisitor: boolean;
  messages: ChatMessage[];
}

type Conversations = Record<string, Conversation>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isMessage(value: unknown): value is ChatMessage {
  if (!isObject(value)) return false;
  const { id, role, content, timestamp, hasImage, imageUrl, failed }: Partial<Record<keyof ChatMessage, unknown>> =
    value;
  return (
    typeof id === 'string' &&
    (role === 'user' || role === 'bot') &&
    typeof content === 'string' &&
    typeof timestamp === 'string' &&
    !Number.isNaN(Date.parse(timestamp)) &&
    typeof hasImage === 'boolean' &&
    (imageUrl === null || typeof imageUrl === 'string') &&
    typeof failed === 'boolean'
  );
}

function isConversation(value: unknown): value is Conversation {
  if (!isObject(value)) return false;
  const { name, isVisitor, messages }: Partial<Record<keyof Conversation, unknown>> = value;
  return (
    typeof name === 'string' && typeof isVisitor === 'boolean' && Array.isArray(messages) && messages.every(isMessage)
  );
}

/** Ignores entries of other versions or edited by hand. */
function readList(): Conversations {
  const kept = Object.entries(device.readJson('conversations') ?? {});
  return Object.fromEntries(kept.filter((entry): entry is [string, Conversation] => isConversation(entry[1])));
}

/** Without storage, or when it is full, the conversation ends with the page. */
const writeList = (list: Conversations) => {
  device.write('conversations', JSON.stringify(list));
};

/** Created once per browser. */
export function readVisitorId(): string {
  const kept = device.read('visitorId');
  if (kept?.startsWith('visitor_')) return kept;
  const id = `visitor_${createKey().replaceAll('-', '')}`;
  device.write('visitorId', id);
  return id;
}

export const readMessages = ({ id }: Participant): ChatMessage[] => readList()[id]?.messages ?? [];

export function storeMessages({ id, name, isVisitor }: Participant, messages: ChatMessage[]): void {
  writeList({ ...readList(), [id]: { name, isVisitor, messages: messages.slice(-MAX_MESSAGES) } });
}

/** Deletes other accounts' conversations, which the next user must not see, and a visitor's after a long pause. */
export function deleteOtherConversations(signedIn: string | null): void {
  const list = readList();
  const kept = Object.entries(list).filter(([id, { isVisitor, messages }]) =>
    isVisitor ? !isExpired(messages.at(-1)?.timestamp ?? '') : id === signedIn,
  );
  if (kept.length < Object.keys(list).length) writeList(Object.fromEntries(kept));
}
