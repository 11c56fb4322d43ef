import { must } from '../lib/checks.ts';
import { messagesOf, publishedTexts, sendMessage, type Link } from '../lib/people.ts';
import { createVisitor, randomText, type Visitor } from '../lib/visitor.ts';

/** Exponent of Zipf's law: the second link gets about half of the visits of the first, the tenth a thirteenth. */
const ZIPF_EXPONENT = 1.1;

/** Actions of a visitor, by weight. */
const BEHAVIOURS = [
  { weight: 60, run: look },
  { weight: 25, run: lookTwice },
  { weight: 10, run: writeMessage },
  { weight: 5, run: followWrongLink },
];
const TOTAL_WEIGHT = BEHAVIOURS.reduce((sum, { weight }) => sum + weight, 0);

/** Picks a link so that its place in the list decides how often it is visited. */
function pickLink(links: readonly Link[]): Link {
  const weights = links.map((_, index) => 1 / (index + 1) ** ZIPF_EXPONENT);
  let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  const link = links[Math.max(0, index)];
  if (link === undefined) throw new Error('The set-up prepared no link.');
  return link;
}

/** Loads what a browser loads: the page, the picture that counts the visit, the profile and the published messages. */
function open(visitor: Visitor, { id, username }: Link): { profileTag: string } {
  const page = visitor.request('GET', `/m/${username}`, { name: 'GET /m/{username}' });
  must('a link opens the page', page.status === 200 && page.text.includes('<div id="root"'), page);
  visitor.request('GET', `/m/${username}/seen`, { name: 'GET /m/{username}/seen', expected: [204] });

  const profile = visitor.request('GET', `/api/users/${username}`, { name: 'GET /api/users/{username}' });
  const shown = (profile.json ?? {}) as { id?: number; username?: string };
  must('the profile is the one of the link', shown.id === id && shown.username === username, profile);

  const published = visitor.request('GET', `/api/messages/public/${id}`, { name: 'GET /api/messages/public/{userId}' });
  const messages = messagesOf(published);
  const texts = new Set(messages.map(({ content }) => content));
  must(
    'published messages are shown',
    publishedTexts.every((text) => texts.has(text)),
    published,
  );
  must(
    'no private message is shown',
    messages.every(({ userId, isPublic }) => isPublic && userId === id),
    published,
  );
  return { profileTag: profile.headers['Etag'] ?? '' };
}

function look(visitor: Visitor, link: Link): void {
  open(visitor, link);
}

/** Comes back to a page that the browser still has. */
function lookTwice(visitor: Visitor, link: Link): void {
  const { profileTag } = open(visitor, link);
  const again = visitor.request('GET', `/api/users/${link.username}`, {
    name: 'GET /api/users/{username}',
    headers: { 'If-None-Match': profileTag },
  });
  // 200 if another visit changed the profile meanwhile.
  must('a known profile is revalidated', again.status === 304 || again.status === 200, again);
}

function writeMessage(visitor: Visitor, link: Link): void {
  open(visitor, link);
  sendMessage(visitor, link, `زيارة ${randomText(8)}`);
}

function followWrongLink(visitor: Visitor): void {
  const answer = visitor.request('GET', `/api/users/nobody-${randomText(6)}x`, {
    name: 'GET /api/users/{username} of nobody',
    expected: [404],
  });
  must('a wrong link is not found', answer.code === 'user_not_found', answer);
}

/** One visit to a link that has gone viral. */
export function visit(links: readonly Link[]): void {
  let left = Math.random() * TOTAL_WEIGHT;
  const behaviour = BEHAVIOURS.find(({ weight }) => (left -= weight) < 0) ?? BEHAVIOURS[0];
  behaviour?.run(createVisitor(), pickLink(links));
}
