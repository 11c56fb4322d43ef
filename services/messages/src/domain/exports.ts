import { AppError, truncateToMinute } from '@najwa/common';
import { RETENTION } from '@najwa/proto/http';
import { makeZip } from 'client-zip';
import type { MessagesContext } from '../context.js';
import type { ExportRecord } from '../db/exports.js';
import type { MessageRecord } from '../db/message-record.js';
import type { Page } from '../db/messages.js';
import type { OwnReport } from '../db/report-record.js';
import { listAside } from './aside.js';
import { outcomeOf } from './events.js';
import { exportPage, type ExportedMessage, type ExportLanguage } from './export-page.js';
import { listReceived, listSent } from './inbox.js';
import { listOwnReports } from './reports.js';

const LIFETIME_MS = RETENTION.exportHours * 60 * 60 * 1000;
const BATCH = 100;

/** Lets an account download its file for a day. */
export const createExport = ({ exports }: MessagesContext, userId: number): Promise<ExportRecord> =>
  exports.create(userId, new Date(Date.now() + LIFETIME_MS));

/** @throws {AppError} `not_found` if it has expired, or is another account's */
export async function findExport({ exports }: MessagesContext, id: number, userId: number): Promise<ExportRecord> {
  const found = await exports.find(id, userId);
  if (found === null) throw new AppError({ code: 'not_found', message: 'There is no such export.' });
  return found;
}

/** All entries of a list, page by page. */
async function* readAll(read: (page: Page) => Promise<MessageRecord[]>): AsyncGenerator<MessageRecord> {
  const page: Page = { order: 'newest', before: undefined, limit: BATCH };
  for (;;) {
    const found = await read(page);
    yield* found;
    const last = found.at(-1);
    if (found.length < BATCH || last === undefined) return;
    page.before = last.id;
  }
}

/** What the account received, in the inbox and set aside. */
async function* readReceived(context: MessagesContext, userId: number): AsyncGenerator<MessageRecord> {
  const selection = { filter: 'all', words: [] } as const;
  yield* readAll((page) => listReceived(context, userId, selection, page));
  yield* readAll((page) => listAside(context, userId, [], page));
}

const pictureOf = ({ id, imageName }: MessageRecord): string | null =>
  imageName === null ? null : `pictures/${id}.webp`;
const soundOf = ({ id, audio }: MessageRecord): string | null => (audio === null ? null : `sounds/${id}.m4a`);

/** Names every field: nothing that a message stores about its sender may get in here. */
const presentReceived = (message: MessageRecord): ExportedMessage => ({
  id: message.id,
  createdAt: truncateToMinute(message.createdAt),
  content: message.content,
  prompt: message.prompt?.content ?? null,
  isRead: message.isRead,
  isPublic: message.isPublic,
  isSetAside: message.aside !== null,
  picture: pictureOf(message),
  sound: soundOf(message),
  reply: message.reply && { content: message.reply.content, createdAt: message.reply.createdAt.toISOString() },
});

const presentSent = (message: MessageRecord) => ({
  id: message.id,
  createdAt: message.createdAt.toISOString(),
  content: message.content,
  prompt: message.prompt?.content ?? null,
  picture: message.imageName !== null,
  reply: message.reply && { content: message.reply.content, createdAt: message.reply.createdAt.toISOString() },
});

async function* readReports(context: MessagesContext, userId: number): AsyncGenerator<OwnReport> {
  for (let before: number | undefined; ;) {
    const found = await listOwnReports(context, userId, { before, limit: BATCH });
    yield* found;
    if (found.length < BATCH) return;
    before = found.at(-1)?.entry.id;
  }
}

const presentReport = ({ entry: { id, reason, comment, at }, messageId, action }: OwnReport) => ({
  id,
  messageId,
  reason,
  comment,
  createdAt: at.toISOString(),
  outcome: outcomeOf(action),
});

/** A JSON array, written while its entries are read. */
async function* jsonArray<T>(entries: AsyncIterable<T>, present: (entry: T) => unknown): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const entry of entries) {
    yield separator + JSON.stringify(present(entry));
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* present(messages: AsyncIterable<MessageRecord>): AsyncGenerator<ExportedMessage> {
  for await (const message of messages) yield presentReceived(message);
}

interface Entry {
  name: string;
  input: Buffer | string | AsyncIterable<string>;
}

/** A file that was removed meanwhile is left out. */
async function readFile(read: () => Promise<{ content: Buffer }>): Promise<Buffer | null> {
  try {
    return (await read()).content;
  } catch (error) {
    if (error instanceof AppError && error.code === 'media_not_found') return null;
    throw error;
  }
}

async function* readFiles(context: MessagesContext, userId: number): AsyncGenerator<Entry> {
  const { media } = context;
  for await (const message of readReceived(context, userId)) {
    const { imageName, audio } = message;
    const picture = imageName === null ? null : await readFile(() => media.getImage({ name: imageName }));
    if (picture) yield { name: pictureOf(message) ?? '', input: picture };
    const sound = audio === null ? null : await readFile(() => media.getSound({ name: audio.name }));
    if (sound) yield { name: soundOf(message) ?? '', input: sound };
  }
}

async function* entriesOf(context: MessagesContext, userId: number, language: ExportLanguage): AsyncGenerator<Entry> {
  const { auth, rules, media } = context;
  const { user, bio, gender, email, notice, visitorCount } = await auth.getOwnAccount(userId);
  const { username = '', name = '', createdAt, avatarName = '', prompts = [] } = user ?? {};
  const { words, lists, blocks } = await rules.load(userId);
  const account = {
    username,
    name,
    bio,
    gender,
    email: email === '' ? null : email,
    createdAt: createdAt?.toISOString() ?? null,
    visitorCount,
    notice,
    prompts: prompts.map(({ content }) => content),
    filters: { words, lists },
    blocks: blocks.map(({ excerpt, createdAt: at }) => ({ excerpt, createdAt: at.toISOString() })),
  };
  yield { name: 'account.json', input: `${JSON.stringify(account, null, 2)}\n` };
  yield {
    name: 'index.html',
    input: exportPage({ username, name, bio }, present(readReceived(context, userId)), language),
  };
  yield { name: 'messages.json', input: jsonArray(readReceived(context, userId), presentReceived) };
  const sent = readAll((page) => listSent(context, userId, { filter: 'all', words: [] }, page));
  yield { name: 'sent.json', input: jsonArray(sent, presentSent) };
  yield { name: 'reports.json', input: jsonArray(readReports(context, userId), presentReport) };
  const avatar = avatarName === '' ? null : await readFile(() => media.getImage({ name: avatarName }));
  if (avatar) yield { name: 'pictures/avatar.webp', input: avatar };
  yield* readFiles(context, userId);
}

/** A ZIP with everything of an account. It is made as fast as it is read, with one file of it in memory. */
export const exportFile = (
  context: MessagesContext,
  userId: number,
  language: ExportLanguage,
): ReadableStream<Uint8Array> => makeZip(entriesOf(context, userId, language));
