import { must, mustHoldOnce } from '../lib/checks.ts';
import { messageOf, messagesOf, register, sendMessage, showsNoSender, type Link, type Message } from '../lib/people.ts';
import { createVisitor, randomText, readUntil, type Visitor } from '../lib/visitor.ts';

/** PNG of one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Publishing is promised to take effect within this time. */
const SECONDS_TO_PUBLISH = 5;

const idsOf = (messages: readonly Message[]): number[] => messages.map(({ id }) => id);

/** Three senders: a visitor whose request is repeated, one with a picture, and one with an account. */
function receive(link: Link, sender: Link): Message[] {
  const visitor = createVisitor();
  const headers = { 'Idempotency-Key': randomText(16) };
  const text = `مرحبًا ${randomText(8)}`;
  const first = sendMessage(visitor, link, text, { headers });
  const repeated = visitor.request('POST', '/api/messages', { headers, body: { userId: link.id, content: text } });
  must('a repeated request gives the same message', messageOf(repeated).id === first.id, repeated);

  const pictured = sendMessage(createVisitor(), link, `صورة ${randomText(8)}`, { imageUrl: PIXEL });
  must('a picture is kept', pictured.imageUrl !== null);
  const signed = sendMessage(createVisitor(sender.cookie), link, `Hello ${randomText(8)}`);
  return [first, pictured, signed];
}

/** Reads the inbox, and compares it with what was sent. */
function readInbox(owner: Visitor, sent: readonly Message[]): void {
  const inbox = owner.request('GET', '/api/messages?limit=100', { name: 'GET /api/messages' });
  const received = messagesOf(inbox);
  mustHoldOnce('the inbox has each message once', idsOf(sent), idsOf(received));
  must('the inbox has nothing else', received.length === sent.length, inbox);
  const isSame = sent.every(({ id, content }) => received.find((message) => message.id === id)?.content === content);
  must('the inbox has the texts that were sent', isSame, inbox);
  must('the inbox does not show a sender', received.every(showsNoSender), inbox);

  for (const { id } of sent) {
    const read = owner.request('PATCH', `/api/messages/${id}`, {
      body: { isRead: true },
      name: 'PATCH /api/messages/{id}',
    });
    must('a message becomes read', messageOf(read).isRead, read);
  }
  const stats = owner.request('GET', '/api/messages/stats');
  const { received: count, unread } = (stats.json ?? {}) as { received?: number; unread?: number };
  must('the counts are right', count === sent.length && unread === 0, stats);
}

function reply(owner: Visitor, sender: Link, { id }: Message): string {
  const content = `شكرًا ${randomText(8)}`;
  const answer = owner.request('POST', '/api/replies', {
    body: { messageId: id, content },
    headers: { 'Idempotency-Key': randomText(16) },
  });
  must('a reply is accepted', answer.status === 201, answer);
  const seen = createVisitor(sender.cookie).request('GET', `/api/replies/${id}`, { name: 'GET /api/replies/{id}' });
  must('the sender reads the reply', (seen.json as { content?: string } | null)?.content === content, seen);
  return content;
}

function publish(owner: Visitor, link: Link, { id, content }: Message, replied: string): void {
  const answer = owner.request('PATCH', `/api/messages/${id}`, {
    body: { isPublic: true },
    name: 'PATCH /api/messages/{id}',
  });
  must('a message is published', messageOf(answer).isPublic, answer);
  const stranger = createVisitor();
  const publicMessages = () =>
    stranger.request('GET', `/api/messages/public/${link.id}`, { name: 'GET /api/messages/public/{userId}' });
  const shown = readUntil(publicMessages, (page) => messagesOf(page).length === 1, SECONDS_TO_PUBLISH);
  const [message] = messagesOf(shown);
  must(
    'the public page shows the message and its reply',
    message?.id === id && message.content === content && message.reply?.content === replied,
    shown,
  );
}

/** One person from registering to publishing. Reads back everything that was written. */
export function journey(links: readonly Link[]): void {
  const [sender] = links;
  if (sender === undefined) throw new Error('The set-up prepared no sender.');
  const owner = createVisitor();
  const { answer, link } = register(owner);
  must('an account is created', answer.status === 201, answer);

  const shared = createVisitor().request('GET', `/api/users/${link.username}`, { name: 'GET /api/users/{username}' });
  must('a shared link shows its account', (shared.json as { id?: number } | undefined)?.id === link.id, shared);
  const sent = receive(link, sender);
  readInbox(owner, sent);

  const signed = sent[2];
  if (signed === undefined) return;
  publish(owner, link, signed, reply(owner, sender, signed));

  const [first] = sent;
  if (first === undefined) return;
  const removed = owner.request('DELETE', `/api/messages/${first.id}`, { name: 'DELETE /api/messages/{id}' });
  must('a message is deleted', removed.status === 204, removed);
  const inbox = owner.request('GET', '/api/messages?limit=100', { name: 'GET /api/messages' });
  must('a deleted message is gone', !idsOf(messagesOf(inbox)).includes(first.id), inbox);

  const left = owner.request('POST', '/api/logout');
  must('the session ends', left.status === 204, left);
}
