import { messagesSent, must } from './checks.ts';
import { createVisitor, mustPrepare, randomText, type Answer, type RequestOptions, type Visitor } from './visitor.ts';

/** An account with the link `/m/username`. Plain data, so that `setup` can hand it to every virtual user. */
export interface Link {
  id: number;
  username: string;
  password: string;
  cookie: string;
}

/** A message; the fields that the scenarios read. */
export interface Message {
  id: number;
  userId: number;
  content: string;
  isRead: boolean;
  isPublic: boolean;
  imageUrl: string | null;
  audioUrl: string | null;
  audioDuration: number | null;
  reply: { content: string } | null;
}

export const messageOf = ({ json }: Answer): Message => json as Message;
export const messagesOf = ({ json }: Answer): Message[] => (Array.isArray(json) ? (json as Message[]) : []);

/** Accounts of the scenarios are recognised by this prefix. */
const PREFIX = 'load-';
export const uniqueName = (): string => `${PREFIX}${randomText(9)}x`;

/** Names of fields that could tell a recipient who wrote. The contract's own tests hold the whole list of fields. */
const ABOUT_SENDER = /sender|visitor|account|device|browser|agent|address|network|country|^ip/i;
export const showsNoSender = (message: object): boolean => !Object.keys(message).some((key) => ABOUT_SENDER.test(key));

/** Registers an account and signs it in. */
export function register(visitor: Visitor): { answer: Answer; link: Link } {
  const username = uniqueName();
  const password = randomText(12);
  const body = { name: 'ليلى', username, password, confirmPassword: password, bio: 'اكتب لي ما تشاء', terms: true };
  const answer = visitor.request('POST', '/api/register', { body });
  const { id } = (answer.json ?? {}) as { id: number };
  return { answer, link: { id, username, password, cookie: visitor.cookie() } };
}

/** Sends a message, and checks that the answer is the message. */
export function sendMessage(
  visitor: Visitor,
  { id: userId }: Pick<Link, 'id'>,
  content: string,
  options: RequestOptions & { imageUrl?: string } = {},
): Message {
  const { imageUrl, headers, ...others } = options;
  const body = { userId, content, ...(imageUrl !== undefined && { imageUrl }) };
  const answer = visitor.request('POST', '/api/messages', {
    body,
    headers: { 'Idempotency-Key': randomText(16), ...headers },
    ...others,
  });
  must('a message is accepted', answer.status === 201, answer);
  const message = messageOf(answer);
  must('an accepted message has its text', message.content === content && message.userId === userId, answer);
  messagesSent.add(1);
  return message;
}

const PUBLISHED = ['كم أنت رائع، شكرًا لك', 'سؤال: ما كتابك المفضّل؟', 'Your last talk changed how I work.'];

/** Prepares links with published messages, before the load begins. */
export function prepareLinks(count: number): Link[] {
  return Array.from({ length: count }, () => {
    const owner = createVisitor();
    const { answer, link } = register(owner);
    mustPrepare('Registering an account', answer);
    for (const content of PUBLISHED) {
      const sent = createVisitor().request('POST', '/api/messages', { body: { userId: link.id, content } });
      mustPrepare('Sending a message', sent);
      const { id } = messageOf(sent);
      mustPrepare('Publishing a message', owner.request('PATCH', `/api/messages/${id}`, { body: { isPublic: true } }));
    }
    return link;
  });
}

export const publishedTexts: readonly string[] = PUBLISHED;
