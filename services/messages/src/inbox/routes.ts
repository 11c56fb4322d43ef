import { AppError } from '@najwa/common/errors';
import { hasEntityTag, linkNextPage, setTotal, takePage, type Call, type Handlers } from '@najwa/common/http';
import { readSubmission } from '@najwa/common/limits';
import type { User } from '@najwa/proto/auth';
import { LIMITS } from '@najwa/proto/http';
import { searchedWords } from '@najwa/proto/words';
import { hidesReadingOf } from '../clients/auth.js';
import type { Limits } from '../config.js';
import { canFollow, endConversation, readConversation } from '../conversations/reading.js';
import { NO_ACCOUNT, placeOf, type MessageRecord } from '../store/message-record.js';
import type { Page, PagePart } from '../store/messages.js';
import { changeMessages, readAll, undoChange } from './bulk.js';
import {
  countsOf,
  countToSelf,
  deleteMessage,
  listOwn,
  listSentEach,
  readPublic,
  readReply,
  replyToMessage,
  updateMessage,
  type InboxDeps,
} from './inbox.js';
import { cursorAt, listMonths } from './months.js';
import { listPinned, pinMessages } from './pins.js';
import { presenterOf, presentReply } from './present.js';

type InboxLimits = Limits<'messageChange' | 'safety' | 'bulk' | 'search' | 'stats'>;

export function inboxHandlers(deps: InboxDeps, limits: InboxLimits) {
  const limitChange = ({ identity }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.messageChange.consume(String(identity.user.id));
  return {
    ...listHandlers(deps, limits),

    async getPublicMessage({ params: { id } }) {
      const { message, recipient } = await readPublic(deps, id);
      return (await presenterOf(deps)).publicPageView(message, recipient);
    },

    updateMessage: {
      limit: limitChange,
      handle: async ({ identity, params: { id }, body }) =>
        (await presenterOf(deps)).recipientView(await updateMessage(deps, identity.user.id, id, body)),
    },

    async getConversation({ identity, params: { id }, query: { before = Infinity }, request, response }) {
      const turns = await readConversation(deps, identity.user.id, id);
      const newestFirst = turns.filter((message) => placeOf(message).turn < before).toReversed();
      const page = takePage({ request, response }, newestFirst, LIMITS.turns / 2, (message) => placeOf(message).turn);
      const present = await presenterOf(deps);
      return page.toReversed().flatMap((message) => present.recipientTurns(message));
    },

    endConversation: {
      limit: limitChange,
      handle: ({ identity, params: { id } }) => endConversation(deps, identity.user.id, id),
    },

    listPinnedMessages: async ({ identity, response }) => {
      const pinned = await listPinned(deps, identity.user.id);
      response.set('ETag', pinsTag(pinned));
      const present = await presenterOf(deps);
      return pinned.map((message) => present.listedView(message));
    },

    pinMessages: {
      limit: ({ identity }) => limits.safety.consume(String(identity.user.id)),
      async handle({ identity, body: { ids }, request, response }) {
        const expected = request.get('if-match');
        const present = await presenterOf(deps);
        const before = expected === undefined ? [] : await listPinned(deps, identity.user.id);
        if (expected !== undefined && !hasEntityTag(expected, pinsTag(before)))
          throw new AppError({
            code: 'changed_elsewhere',
            message: 'Other messages are pinned by now.',
            current: before.map((message) => present.listedView(message)),
          });
        const pinned = await pinMessages(deps, identity.user.id, ids);
        response.set('ETag', pinsTag(pinned));
        return pinned.map((message) => present.listedView(message));
      },
    },

    deleteMessage: {
      limit: limitChange,
      handle: ({ identity, params: { id } }) => deleteMessage(deps, identity.user.id, id),
    },

    changeMessages: {
      limit: ({ identity }) => limits.safety.consume(String(identity.user.id)),
      async handle({ identity, body: { ids, action } }) {
        await limits.bulk.consume(String(identity.user.id), ids?.length ?? LIMITS.bulk);
        const { done, token, until } = await (ids
          ? changeMessages(deps, identity.user.id, ids, action)
          : readAll(deps, identity.user.id));
        return { done, undoToken: token, undoUntil: until.toISOString() };
      },
    },

    undoMessages: {
      limit: ({ identity }) => limits.safety.consume(String(identity.user.id)),
      async handle({ identity, body: { undoToken } }) {
        const present = await presenterOf(deps);
        const restored = await undoChange(deps, identity.user.id, undoToken);
        return restored.slice(0, LIMITS.bulk).map((message) => present.listedView(message));
      },
    },

    async getReply({ identity, params: { messageId } }) {
      const reply = await readReply(deps, identity.user?.id, messageId);
      return reply && presentReply(messageId, reply);
    },

    createReply: {
      limit: limitChange,
      async handle({ identity, body: { messageId, content }, request }) {
        const submission = readSubmission(request.get('idempotency-key'), identity, [String(messageId), content]);
        const reply = await replyToMessage(deps, identity.user.id, { messageId, content, submission });
        return presentReply(messageId, reply);
      },
    },
  } satisfies Partial<Handlers<'messages'>>;
}

const pinsTag = (pinned: readonly MessageRecord[]): string => `"${pinned.map(({ id }) => id).join('-')}"`;

function listHandlers(deps: InboxDeps, limits: InboxLimits) {
  const { inbox, counts, auth } = deps;
  const takeSearch = ({ identity }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.search.consume(String(identity.user.id));
  /** Finding a time costs as much as a search. */
  const limitSearch = async (
    caller: Parameters<typeof takeSearch>[0] & { query: { q: string; start?: string | undefined } },
  ): Promise<void> => {
    if (caller.query.q !== '' || caller.query.start !== undefined) await takeSearch(caller);
  };
  return {
    listMessages: {
      limit: limitSearch,
      async handle(call) {
        const { user } = call.identity;
        const { folder, ids, filter, q } = call.query;
        const present = await presenterOf(deps);
        if (ids) return (await listOwn(deps, user.id, ids)).map((message) => present.listedView(message));
        const words = searchOf(q);
        if (words === null) return [];
        const found = await readPage(
          call,
          (page) =>
            folder === 'aside'
              ? inbox.listAside(user.id, words, page)
              : inbox.listReceived(user.id, { filter, words }, page),
          await cursorAt(deps, user.id, 'received', call.query),
        );
        return found.map((message) => present.listedView(message));
      },
    },

    listSentMessages: {
      limit: (caller) => (caller.query.filter === 'all' ? limitSearch(caller) : takeSearch(caller)),
      async handle(call) {
        const { user } = call.identity;
        const words = searchOf(call.query.q);
        if (words === null) return [];
        const found = await listSent(deps, call, words);
        const recipients = await findRecipients(deps, found);
        const present = await presenterOf(deps);
        return Promise.all(
          found.map(async (message) => {
            const recipient = recipients.get(message.userId);
            const canWrite = recipient !== undefined && (await canFollow(deps, message));
            return present.senderView(message, user.id, recipient, canWrite);
          }),
        );
      },
    },

    async listPublicMessages(call) {
      const { userId } = call.params;
      const [found, { public: total }, owner] = await Promise.all([
        readPage(call, (page) => inbox.listPublic(userId, page)),
        counts.of(userId),
        auth.findUser(userId),
      ]);
      if (owner === undefined) {
        call.response.removeHeader('Link');
        setTotal(call, 0);
        return [];
      }
      setTotal(call, total);
      const present = await presenterOf(deps);
      return found.map((message) => present.publicView(message));
    },

    listMessageMonths: {
      limit: takeSearch,
      handle: ({ identity, query: { of, zone } }) => listMonths(deps, identity.user.id, of, zone),
    },

    getMessageStats: {
      limit: ({ identity }) => limits.stats.consume(String(identity.user.id)),
      async handle({ identity }) {
        const { id } = identity.user;
        const [counted, wave] = await Promise.all([countsOf(deps, id), counts.findWave(id, 'inbox')]);
        const { received, sent, read } = counted;
        const toSelf = await countToSelf(deps, id, counted);
        return { received, sent, read, unread: received - read, toSelf, wave };
      },
    },
  } satisfies Partial<Handlers<'messages'>>;
}

async function findRecipients({ auth }: InboxDeps, found: MessageRecord[]): Promise<Map<number, User>> {
  const ids = new Set(found.map(({ userId }) => userId));
  return new Map((await auth.findUsers([...ids])).map((user) => [user.id, user]));
}

async function listSent(deps: InboxDeps, call: Call<'listSentMessages'>, words: string[]): Promise<MessageRecord[]> {
  const { id: userId } = call.identity.user;
  const { ids, filter } = call.query;
  const sender = await deps.senders.tagOf(userId);
  if (ids) return listSentEach(deps, sender, ids);
  /** Recipients that hide reading or are closed: the filter would reveal it. */
  const undisclosed = new Set<number>();
  const read = async (page: Page): Promise<PagePart> => {
    const part = await deps.inbox.listSent(sender, { filter, words, without: [...undisclosed] }, page);
    if (filter === 'all') return part;
    const recipients = await findRecipients(deps, part.found);
    for (const { userId: id } of part.found) {
      const recipient = recipients.get(id);
      if (id !== NO_ACCOUNT && (recipient === undefined || hidesReadingOf(recipient))) undisclosed.add(id);
    }
    return part;
  };
  const isShown = (message: MessageRecord): boolean => !undisclosed.has(message.userId);
  return readPage(
    call,
    (page) => readShown(call, page, filter === 'all' ? page.limit : FILTERED_BATCH, read, isShown),
    await cursorAt(deps, userId, 'sent', call.query),
  );
}

/**
 * Null if nothing is searchable.
 * @throws {AppError} `invalid_input` for too many words
 */
function searchOf(query: string): string[] | null {
  const words = searchedWords(query);
  if (words.length > LIMITS.searchWords)
    throw new AppError({
      code: 'invalid_input',
      message: `A search has at most ${LIMITS.searchWords} words.`,
      fields: { q: 'too_long' },
    });
  return words.length === 0 && query !== '' ? null : words;
}

type ListCall = Pick<
  Call<'listMessages'> | Call<'listSentMessages'> | Call<'listPublicMessages'>,
  'query' | 'request' | 'response'
>;

/** Reads one extra message to detect a next page. */
async function readPage(
  { query: { sort, before: last, limit }, request, response }: ListCall,
  read: (page: Page) => Promise<MessageRecord[]>,
  before = last,
): Promise<MessageRecord[]> {
  const found = await read({ order: sort, before, limit: limit + 1 });
  return takePage({ request, response }, found, limit, ({ id }) => id);
}

const FILTERED_BATCH = 100;

/** Each batch excludes recipients found hidden so far. */
const MAX_FILTERED_BATCHES = 20;

/** Fills the page, so that neither its end nor its link reveals omissions, up to a bound. */
async function readShown(
  call: ListCall,
  { limit, before, ...page }: Page,
  batch: number,
  read: (page: Page) => Promise<PagePart>,
  isShown: (message: MessageRecord) => boolean,
): Promise<MessageRecord[]> {
  const shown: MessageRecord[] = [];
  let last = before;
  for (let batches = 0; batches < MAX_FILTERED_BATCHES; batches += 1) {
    const { found, nextBefore } = await read({ ...page, before: last, limit: batch });
    shown.push(...found.filter(isShown));
    if (shown.length >= limit || (found.length < batch && nextBefore === null)) return shown.slice(0, limit);
    last = nextBefore ?? found.at(-1)?.id;
    if (nextBefore !== null) break;
  }
  if (last !== undefined) linkNextPage(call, last);
  return shown;
}
