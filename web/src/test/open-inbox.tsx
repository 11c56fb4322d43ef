import './setup.js';
import { afterEach, expect, jest } from '@jest/globals';
import { indexedWords, searchedWords } from '@najwa/proto/words';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { Inbox, type SentMessage } from '../owner/inbox/index.js';
import type { Message } from '../shared/message/index.js';
import type { User } from '../shared/session/index.js';
import type { Language } from '../i18n/index.js';
import { buildReply, buildUser } from './factories.js';
import { renderElement } from './render.js';
import { startApi, type Answers, type Call } from './server.js';

interface Box {
  inbox: Message[];
  sent?: SentMessage[];
  /** Read messages that only the statistics have, for an inbox that is worth a search. */
  others?: number;
}

const matches = ({ content, reply }: Message, { query }: Call): boolean =>
  searchedWords(query.get('q') ?? '').every((start) =>
    indexedWords(`${content} ${reply?.content ?? ''}`).some((word) => word.startsWith(start)),
  );

/** Applies the changes sent to it. */
export function mailbox({ inbox, sent = [], others = 0 }: Box): Answers {
  const page = (list: { id: number }[]) => (call: Call) => {
    const { query } = call;
    const before = query.get('before');
    const sorted = [...list].sort((a, b) => (query.get('sort') === 'oldest' ? a.id - b.id : b.id - a.id));
    const rest = before === null ? sorted : sorted.slice(sorted.findIndex(({ id }) => String(id) === before) + 1);
    const items = rest.slice(0, Number(query.get('limit')));
    const last = items.at(-1);
    return {
      body: items,
      headers:
        rest.length > items.length && last !== undefined
          ? { link: `</api/messages?before=${String(last.id)}>; rel="next"` }
          : {},
    };
  };
  const deleted: Message[] = [];
  const answers: Answers = {
    'GET /messages': (call) => {
      const ids = call.query.get('ids')?.split(',');
      if (ids !== undefined) return { body: inbox.filter(({ id }) => ids.includes(String(id))) };
      return page(
        inbox.filter(
          (message) =>
            matches(message, call) &&
            (call.query.get('filter') === 'all' || (call.query.get('filter') === 'read') === message.isRead),
        ),
      )(call);
    },
    'GET /messages/sent': (call) => page(sent.filter((message) => matches(message, call)))(call),
    'GET /messages/stats': () => {
      const unread = inbox.filter(({ isRead }) => !isRead).length;
      const received = inbox.length + others;
      return { body: { received, sent: sent.length, read: received - unread, unread } };
    },
    'POST /messages/bulk': (call) => {
      const { ids, action } = call.body as { ids?: number[]; action: string };
      const changed = inbox.filter(({ id, isRead }) => ids?.includes(id) ?? !isRead);
      if (action === 'read') for (const message of changed) message.isRead = true;
      else if (action !== 'delete') for (const message of changed) message.isPublic = action === 'publish';
      else {
        deleted.push(...changed);
        inbox.splice(0, inbox.length, ...inbox.filter((message) => !changed.includes(message)));
      }
      const undoUntil = new Date(Date.now() + 10_000).toISOString();
      return { body: { done: changed.map(({ id }) => id), undoToken: 'token', undoUntil } };
    },
    'POST /messages/undo': () => {
      inbox.push(...deleted);
      return { body: deleted.splice(0) };
    },
    'POST /replies': (call) => {
      const { messageId, content } = call.body as { messageId: number; content: string };
      const reply = buildReply(content);
      Object.assign(inbox.find(({ id }) => id === messageId) ?? {}, { isRead: true, reply });
      return { status: 201, body: { id: 1, messageId, ...reply } };
    },
  };
  for (const message of inbox) {
    const ofSame = () =>
      inbox.filter(({ conversationId }) => conversationId === message.conversationId).sort((a, b) => a.id - b.id);
    answers[`GET /messages/${String(message.id)}/conversation`] = (call) => {
      const before = Number(call.query.get('before') ?? Infinity);
      const found = ofSame().filter(({ id }) => id < before);
      const shown = found.slice(-25);
      const next = shown.length < found.length ? String(shown[0]?.id) : undefined;
      return {
        body: shown.flatMap(({ id, reply }) => [
          { id, from: 'sender' },
          ...(reply ? [{ id: 0, from: 'recipient' }] : []),
        ]),
        headers: next === undefined ? {} : { link: `</api/messages/1/conversation?before=${next}>; rel="next"` },
      };
    };
    answers[`POST /messages/${String(message.id)}/end`] = () => {
      for (const each of ofSame()) each.hasEnded = true;
      return { status: 204 };
    };
    answers[`PATCH /messages/${String(message.id)}`] = (call) => ({ body: Object.assign(message, call.body) });
    answers[`DELETE /messages/${String(message.id)}`] = () => {
      inbox.splice(inbox.indexOf(message), 1);
      return { status: 204 };
    };
  }
  return answers;
}

interface Options {
  answers?: Answers;
  /** Of the dashboard, where a desk has the search. */
  head?: HTMLElement;
  language?: Language;
  owner?: User;
  path?: string;
}

afterEach(() => void jest.restoreAllMocks());

/** With an in-memory mailbox. */
export async function openInbox(
  box: Box,
  { answers = {}, language = 'en', owner = buildUser(), path = '/', head }: Options = {},
) {
  // Time stands still: on a busy machine an undo's ten seconds pass between two steps of a test.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const api = await startApi({ ...mailbox(box), ...answers });
  const copyLink = jest.fn();
  const share = jest.fn();
  const view = renderElement(
    <Inbox owner={owner} onCopyLink={copyLink} onShare={share} firstDay={<p>the first day</p>} head={head} />,
    { apiRoot: api.apiRoot, language, path },
  );
  return { api, copyLink, share, ...view };
}

/** Of the menu beside the search. */
export async function chooseTool(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /^(?:Month, order, selection|شهر، ترتيب، اختيار)$/ }));
  await user.click(await screen.findByRole(name.endsWith('first') ? 'menuitemradio' : 'menuitem', { name }));
}

/** From top to bottom. */
export const shownIds = () => screen.queryAllByTestId('message').map(({ dataset }) => dataset['messageId']);

/** Cards mount frame by frame. A closed one is opened. */
export const card = async (id: number) => {
  const found = await waitFor(() => {
    const shown = screen.getAllByTestId('message').find(({ dataset }) => dataset['messageId'] === String(id));
    if (shown === undefined) throw new Error(`There is no card for message ${String(id)}.`);
    return shown;
  });
  const summary = found.querySelector('details:not([open]) > summary');
  if (summary !== null) {
    fireEvent.click(summary);
    await waitFor(() => {
      expect(found.querySelector('summary + *')).not.toBeNull();
    });
  }
  return within(found);
};

/** Without a pointer: the toast region takes none until a toast has registered, a moment after it shows. */
export const undo = async () => fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
