import { must } from '../lib/checks.ts';
import { messagesOf, sendMessage, showsNoSender, uniqueName, type Link } from '../lib/people.ts';
import { SETTINGS } from '../lib/settings.ts';
import { createVisitor, mustPrepare, randomText, readUntil, type Answer } from '../lib/visitor.ts';

/** Tracking is promised to take effect within this time. */
const SECONDS_TO_TRACK = 10;

interface TrackingRecord {
  messageId: number;
  ipAddress: string | null;
  message: { content: string; userId: number };
}

const listOf = <Entry>({ json }: Answer): Entry[] => (Array.isArray(json) ? (json as Entry[]) : []);

/** Signs in as ADMIN_USERNAME, or as a new administrator that ADMIN_SECRET creates. @returns the cookie */
export function signInAdministrator(): string {
  const { adminSecret, adminUsername, adminPassword } = SETTINGS;
  const visitor = createVisitor();
  const username = adminUsername ?? uniqueName();
  const password = adminPassword ?? randomText(12);
  if (adminUsername === undefined) {
    const body = { username, password, name: 'Load', email: `${username}@example.org`, adminSecret: adminSecret ?? '' };
    mustPrepare('Creating an administrator', visitor.request('POST', '/api/admin/create', { body }));
  }
  mustPrepare('Signing in', visitor.request('POST', '/api/login', { body: { username, password } }));
  return visitor.cookie();
}

/** An administrator looks up where a message came from, and reads the conversations and the audit log. */
export function admin(links: readonly Link[], cookie: string): void {
  const [link] = links;
  if (link === undefined) throw new Error('The set-up prepared no recipient.');
  const text = randomText(12);
  const { id } = sendMessage(createVisitor(), link, text);

  const administrator = createVisitor(cookie);
  const search = () =>
    administrator.request('GET', `/api/admin/sender-tracking?userId=${link.id}&text=${text}`, {
      name: 'GET /api/admin/sender-tracking',
    });
  const found = readUntil(search, (answer) => listOf(answer).length > 0, SECONDS_TO_TRACK);
  const records = listOf<TrackingRecord>(found).filter(({ messageId }) => messageId === id);
  must('a message is tracked once', records.length === 1, found);
  const [record] = records;
  const isComplete = record?.message.content === text && record.message.userId === link.id && record.ipAddress !== null;
  must('its record is complete', isComplete, found);

  const inbox = createVisitor(link.cookie).request('GET', '/api/messages', { name: 'GET /api/messages' });
  must('its recipient sees no sender', messagesOf(inbox).every(showsNoSender), inbox);

  for (const path of ['/api/admin/sender-tracking', '/api/admin/chat-bot/messages', '/api/admin/audit']) {
    const page = administrator.request('GET', path);
    must('an administrator reads the lists', page.status === 200 && Array.isArray(page.json), page);
    const refused = createVisitor(link.cookie).request('GET', path, { expected: [403], name: `GET ${path} of a user` });
    must('a user does not', refused.status === 403, refused);
  }
  const audit = listOf<{ action: string }>(administrator.request('GET', '/api/admin/audit'));
  must(
    'reading is audited',
    audit.some(({ action }) => action === 'tracking.list'),
  );
}
