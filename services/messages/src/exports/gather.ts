import { truncateToMinute } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import type { OwnConversation } from '@najwa/proto/chatbot';
import type { AuthClient } from '../clients/auth.js';
import type { ChatbotClient } from '../clients/chatbot.js';
import type { MediaClient } from '../clients/media.js';
import type { InboxStore } from '../inbox/inbox-store.js';
import { countsOf } from '../inbox/inbox.js';
import { outcomeOf } from '../moderation/events.js';
import type { OwnReport } from '../moderation/report-record.js';
import type { ReportRepository } from '../moderation/report-store.js';
import type { InboxRulesRepository } from '../safety/rules-store.js';
import type { CountRepository } from '../store/counts.js';
import { placeOf, type MessageRecord } from '../store/message-record.js';
import type { Page } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import type { TakenExport } from './export-store.js';
import { exportPage, type ExportedMessage, type ExportedSentMessage } from './page.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { makeZip, type ZipEntry } from './zip.js';

const BATCH = 100;

/** Relative cost of fetching a message's files. */
const WEIGHT_OF_FILES = 8;
/** Page, list and files. */
const WEIGHT_OF_RECEIVED = 2 + WEIGHT_OF_FILES;
/** Page and list. */
const WEIGHT_OF_SENT = 2;

export interface GatherDeps {
  inbox: InboxStore;
  counts: CountRepository;
  senders: SenderVault;
  rules: InboxRulesRepository;
  reports: ReportRepository;
  auth: AuthClient;
  media: MediaClient;
  chatbot: ChatbotClient;
}

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

/** In the inbox and set aside. */
async function* readReceived({ inbox }: GatherDeps, userId: number): AsyncGenerator<MessageRecord> {
  const selection = { filter: 'all', words: [] } as const;
  yield* readAll((page) => inbox.listReceived(userId, selection, page));
  yield* readAll((page) => inbox.listAside(userId, [], page));
}

const pictureOf = ({ id, imageName }: MessageRecord): string | null =>
  imageName === null ? null : `pictures/${id}.webp`;
const soundOf = ({ id, audio }: MessageRecord): string | null => (audio === null ? null : `sounds/${id}.m4a`);

/** Lists every field: nothing about the sender may leak. */
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
  conversationId: message.conversation?.id ?? null,
});

const presentSent = (message: MessageRecord): ExportedSentMessage => ({
  id: message.id,
  createdAt: message.createdAt.toISOString(),
  content: message.content,
  prompt: message.prompt?.content ?? null,
  picture: message.imageName !== null,
  voice: message.audio !== null,
  reply: message.reply && { content: message.reply.content, createdAt: message.reply.createdAt.toISOString() },
  // A mark of the first message would reveal whether another one was delivered.
  follows: placeOf(message).turn > 1 ? placeOf(message).sentId : null,
});

async function* readReports({ reports }: GatherDeps, userId: number): AsyncGenerator<OwnReport> {
  for (let before: number | undefined; ;) {
    const found = await reports.listOwn(userId, { before, limit: BATCH });
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

async function* jsonArray<T>(entries: AsyncIterable<T>, present: (entry: T) => unknown): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const entry of entries) {
    yield separator + JSON.stringify(present(entry));
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* presentEach<From, To>(entries: AsyncIterable<From>, present: (entry: From) => To): AsyncGenerator<To> {
  for await (const entry of entries) yield present(entry);
}

/** Null if it was removed meanwhile. */
async function readFile(read: () => Promise<{ content: Buffer }>, signal: AbortSignal): Promise<Buffer | null> {
  try {
    return (await retryWhileUnavailable(read, signal)).content;
  } catch (error) {
    if (error instanceof AppError && error.code === 'media_not_found') return null;
    throw error;
  }
}

interface Gathering {
  deps: GatherDeps;
  userId: number;
  signal: AbortSignal;
  counted: <T>(entries: AsyncIterable<T>, weight?: number) => AsyncGenerator<T>;
}

async function* readFiles({ deps, userId, signal, counted }: Gathering): AsyncGenerator<ZipEntry> {
  const { media } = deps;
  for await (const message of counted(readReceived(deps, userId), WEIGHT_OF_FILES)) {
    const { imageName, audio } = message;
    const picture = imageName === null ? null : await readFile(() => media.getImage({ name: imageName }), signal);
    if (picture) yield { name: pictureOf(message) ?? '', input: picture };
    const sound = audio === null ? null : await readFile(() => media.getSound({ name: audio.name }), signal);
    if (sound) yield { name: soundOf(message) ?? '', input: sound };
  }
}

async function* readConversations({ deps, userId, signal }: Gathering): AsyncGenerator<OwnConversation> {
  for (let before = 0; ;) {
    const request = { userId, before, limit: BATCH };
    const { conversations } = await retryWhileUnavailable(() => deps.chatbot.listOwnConversations(request), signal);
    yield* conversations;
    const last = conversations.at(-1);
    if (conversations.length < BATCH || last === undefined) return;
    before = last.id;
  }
}

const assistantPicture = ({ id, imageName }: OwnConversation): string | null =>
  imageName === '' ? null : `pictures/assistant-${id}.webp`;

const presentConversation = (conversation: OwnConversation) => ({
  id: conversation.id,
  createdAt: conversation.createdAt?.toISOString() ?? null,
  question: conversation.userMessage,
  answer: conversation.botResponse,
  picture: assistantPicture(conversation),
});

async function* readAssistantPictures(gathering: Gathering): AsyncGenerator<ZipEntry> {
  const { deps, signal } = gathering;
  for await (const conversation of readConversations(gathering)) {
    const name = assistantPicture(conversation);
    if (name === null) continue;
    const input = await readFile(() => deps.media.getImage({ name: conversation.imageName }), signal);
    if (input) yield { name, input };
  }
}

async function* entriesOf(gathering: Gathering, language: TakenExport['language']): AsyncGenerator<ZipEntry> {
  const { deps, userId, signal, counted } = gathering;
  const { auth, inbox, rules, media, senders } = deps;
  const { user, profile, email, notice, visitorCount } = await retryWhileUnavailable(
    () => auth.getOwnAccount(userId),
    signal,
  );
  const { username = '', name = '', createdAt, avatarName = '', prompts = [] } = user ?? {};
  const { bio = '' } = profile;
  const { words, lists, blocks } = await rules.load(userId);
  const account = {
    username,
    ...profile,
    email: email === '' ? null : email,
    createdAt: createdAt?.toISOString() ?? null,
    visitorCount,
    notice,
    prompts: prompts.map(({ content }) => content),
    filters: { words, lists },
    blocks: blocks.map(({ excerpt, createdAt: at }) => ({ excerpt, createdAt: at.toISOString() })),
  };
  const sender = await senders.tagOf(userId);
  const readSent = () =>
    counted(readAll(async (page) => (await inbox.listSent(sender, { filter: 'all', words: [] }, page)).found));
  yield { name: 'account.json', input: Buffer.from(`${JSON.stringify(account, null, 2)}\n`) };
  yield {
    name: 'index.html',
    input: exportPage(
      {
        account: { username, name, bio },
        received: presentEach(counted(readReceived(deps, userId)), presentReceived),
        sent: presentEach(readSent(), presentSent),
      },
      language,
    ),
  };
  yield { name: 'messages.json', input: jsonArray(counted(readReceived(deps, userId)), presentReceived) };
  yield { name: 'sent.json', input: jsonArray(readSent(), presentSent) };
  yield { name: 'reports.json', input: jsonArray(readReports(deps, userId), presentReport) };
  yield { name: 'assistant.json', input: jsonArray(readConversations(gathering), presentConversation) };
  const avatar = avatarName === '' ? null : await readFile(() => media.getImage({ name: avatarName }), signal);
  if (avatar) yield { name: 'pictures/avatar.webp', input: avatar };
  yield* readAssistantPictures(gathering);
  yield* readFiles(gathering);
}

/**
 * Holds one file in memory.
 * @param report receives progress from 0 to 1; may abort by throwing
 */
export async function* exportFile(
  deps: GatherDeps,
  { userId, language }: TakenExport,
  signal: AbortSignal,
  report: (share: number) => void,
): AsyncGenerator<Uint8Array> {
  const { received, sent } = await countsOf(deps, userId);
  const total = received * WEIGHT_OF_RECEIVED + sent * WEIGHT_OF_SENT;
  let done = 0;
  const counted: Gathering['counted'] = async function* (entries, weight = 1) {
    for await (const entry of entries) {
      yield entry;
      done += weight;
      report(Math.min(1, done / total));
    }
  };
  yield* makeZip(entriesOf({ deps, userId, signal, counted }, language));
}
