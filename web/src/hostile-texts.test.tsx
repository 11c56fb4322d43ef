// Long run: hostile texts at length.
import './test/setup.js';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { countCharacters, LIMITS } from '@najwa/proto/http/client';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { exportPage } from '../../services/messages/src/exports/page.js';
import { ChatWidget } from './owner/chat/index.js';
import { NotificationBell } from './owner/notifications/index.js';
import { RequireUser } from './shared/session/index.js';
import { SettingsPage } from './owner/settings/index.js';
import { WayBackPage } from './visitor/way-back/index.js';
import { renderPublicPage } from './server.js';
import { installEventSource } from './test/event-source.js';
import {
  buildConversation,
  buildMessage,
  buildProfile,
  buildReply,
  buildSentMessage,
  buildTrackingRecord,
  buildUser,
} from './test/factories.js';
import { HOSTILE_TEXTS, missingTexts, packedFor, strangeMarkup, textsFor, turn } from './test/hostile.js';
import { openAdmin, row, tracked } from './test/open-admin.js';
import { openInbox } from './test/open-inbox.js';
import { openPage, profile, published } from './test/open-public-page.js';
import { renderElement, renderRoutes } from './test/render.js';
import { startApi } from './test/server.js';

/* Every hostile text in every user field, on every page. web/e2e/hostile-texts.test.ts tries some in a browser. */

const { text: BOUNDS } = LIMITS;

const [names, bios, notices, prompts, words, contents, replies, comments, reasons] = [
  textsFor(BOUNDS.name.max),
  packedFor(BOUNDS.bio.max),
  packedFor(BOUNDS.notice.max),
  textsFor(BOUNDS.prompt.max),
  textsFor(BOUNDS.filterWord.max).filter((text) => /[\p{L}\p{N}]/u.test(text) && countCharacters(text) > 1),
  packedFor(BOUNDS.message.max),
  packedFor(BOUNDS.reply.max),
  packedFor(BOUNDS.comment.max),
  packedFor(BOUNDS.reason.max),
];
/** The characters of request headers. */
const headers = packedFor(
  400,
  textsFor(400).filter((text) => /^[ -~]+$/.test(text)),
  ' ',
);
const createdAt = '2026-11-18T18:42:00.000Z';

/** Pages omit bidi controls. */
const withoutControls = (text = '') => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** Shown as written, without markup of their own. */
async function expectHarmless(texts: readonly string[]): Promise<void> {
  await waitFor(() => {
    expect(missingTexts(texts)).toEqual([]);
  });
  expect(strangeMarkup()).toEqual([]);
}

beforeAll(installEventSource);
beforeEach(() => {
  localStorage.clear();
});

describe('a hostile text is shown as it was written', () => {
  // Threat model: sender-17.
  test('on a public page, in its messages and replies', async () => {
    const items = contents.map((content, index) => ({
      ...published,
      id: index + 1,
      content,
      prompt: { id: index + 1, content: turn(prompts, index) },
      reply: buildReply(turn(replies, index)),
    }));
    const [name = ''] = names;
    const [bio = ''] = bios;
    await openPage({
      answers: {
        'GET /users/noura': { body: { ...profile, name, bio } },
        'GET /messages/public/1': { body: items, headers: { 'x-total-count': String(items.length) } },
      },
    });
    await expectHarmless([name, bio, ...contents, ...replies.slice(0, contents.length)]);
  });

  // Threat model: sender-17.
  test('as the word of a paused page', async () => {
    // Every tenth: the server renders them all.
    for (const notice of notices.filter((_, index) => index % 10 === 0)) {
      const receiving = { from: 'nobody', minimumDays: 7, notice };
      const { unmount } = await openPage({ answers: { 'GET /users/noura': { body: { ...profile, receiving } } } });
      await expectHarmless([notice]);
      unmount();
    }
  });

  // Threat model: sender-17.
  test.each(['in a received message', 'sent'] as const)('to the owner, as a message that was %s', async (kind) => {
    // A longer list has only those near the window in the document.
    const PORTION = 30;
    for (let first = 0; first < contents.length; first += PORTION) {
      const portion = contents.slice(first, first + PORTION);
      const replyTo = (index: number) => turn(replies, first + index);
      const inbox = portion.map((content, index) =>
        buildMessage({ id: index + 1, content, reply: buildReply(replyTo(index)) }),
      );
      const sent = portion.map((content, index) =>
        buildSentMessage({
          id: index + 1,
          content,
          recipient: { username: 'salem', name: turn(names, first + index) },
          reply: buildReply(replyTo(index)),
        }),
      );
      const { user, unmount } = await openInbox(kind === 'sent' ? { inbox: [], sent } : { inbox });
      await screen.findAllByTestId('message');
      const more = screen.queryByRole('button', { name: 'Load more' });
      if (more !== null) await user.click(more);
      await waitFor(() => {
        expect(screen.getAllByTestId('message')).toHaveLength(portion.length);
      });
      await expectHarmless([...portion, ...portion.map((_, index) => replyTo(index))]);
      unmount();
    }
  });

  // Threat model: sender-17.
  test('to the owner, where it is searched and answered', async () => {
    const { user } = await openInbox({
      inbox: contents.map((content, index) => buildMessage({ id: index + 1, content })),
    });
    fireEvent.change(await screen.findByRole('searchbox', { name: 'Search your messages' }), {
      target: { value: 'xss script' },
    });
    await waitFor(() => {
      expect(document.querySelector('mark')).not.toBeNull();
    });
    await expectHarmless([]);
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    await user.click((await screen.findAllByRole('button', { name: 'Reply' }))[0] ?? document.body);
    await screen.findByRole('dialog');
    expect(strangeMarkup()).toEqual([]);
  });

  // Threat model: sender-17.
  test('to the owner, where it was set aside', async () => {
    const aside = words.map((word, index) => ({
      ...buildMessage({ id: index + 1, content: word }),
      reason: 'filtered',
      matched: word,
    }));
    const { user } = await openInbox(
      { inbox: [] },
      { answers: { 'GET /messages': ({ query }) => ({ body: query.get('folder') === 'aside' ? aside : [] }) } },
    );
    await user.click(await screen.findByRole('button', { name: /Set aside/ }));
    await screen.findAllByTestId('aside-message');
    await expectHarmless(words);
  });

  const routes = [{ element: <RequireUser />, children: [{ path: '/settings/*', element: <SettingsPage /> }] }];

  // Threat model: sender-17.
  test('in the settings: name and words about oneself', async () => {
    for (const [index, bio] of bios.entries()) {
      const name = turn(names, index);
      const { apiRoot } = await startApi({ 'GET /user': { body: buildUser({ name, bio }) } });
      const { unmount } = renderRoutes(routes, { apiRoot, path: '/settings' });
      // A field of one line leaves line breaks out.
      await expectHarmless([name.replaceAll(/[\r\n]/g, ''), bio]);
      unmount();
    }
  });

  // Threat model: sender-17.
  test('in the settings: filters, blocks, the word of a paused page and questions', async () => {
    const [notice = ''] = notices;
    const { apiRoot } = await startApi({
      'GET /user': { body: buildUser() },
      'GET /users/receiving': {
        body: { from: 'nobody', minimumDays: 7, notice, presence: 'coarse', readReceipts: true },
      },
      'GET /filters': { body: { words, lists: [] } },
      'GET /blocks': {
        body: contents.map((excerpt, index) => ({ id: index + 1, messageId: index + 1, excerpt, createdAt })),
      },
      'GET /reports': { body: [] },
      'GET /prompts': { body: prompts.map((content, index) => ({ id: index + 1, content, createdAt })) },
    });
    const { unmount } = renderRoutes(routes, { apiRoot, path: '/settings/receiving' });
    await expectHarmless([notice, ...words, ...contents]);
    unmount();
    renderRoutes(routes, { apiRoot, path: '/settings/questions' });
    await expectHarmless(prompts);
  });

  // Threat model: sender-17.
  test('at the bell', async () => {
    const notifications = HOSTILE_TEXTS.map((excerpt, index) => ({
      ...{ id: index + 1, kind: 'reply', readAt: null, createdAt },
      subject: { messageId: index + 1, username: 'salem', excerpt },
    }));
    const { apiRoot } = await startApi({ 'GET /notifications': { body: notifications } });
    const { user } = renderElement(<NotificationBell />, { apiRoot });
    await user.click(await screen.findByTestId('bell'));
    const rows = await screen.findAllByTestId('notification');
    expect(rows.map(({ textContent }) => textContent)).toEqual(
      HOSTILE_TEXTS.map((text) => expect.stringContaining(text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ''))),
    );
    expect(strangeMarkup()).toEqual([]);
  });

  // Threat model: sender-17.
  test('on the way back', async () => {
    for (const [index, content] of contents.entries()) {
      const token = String(index).padStart(22, 'a');
      const reply = turn(replies, index);
      const { apiRoot } = await startApi({
        [`GET /ways-back/${token}`]: {
          body: {
            recipient: { id: 1, username: 'noura', name: turn(names, index), avatar: null },
            ornament: 'ba2945b603ffaf56',
            ...{ content, imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null, createdAt },
            ...{
              isRead: true,
              isPublic: true,
              canDelete: false,
              reply: buildReply(reply),
              turns: [],
              canWrite: false,
              hasEnded: false,
            },
          },
        },
      });
      const { unmount } = renderRoutes([{ path: '/r/:token', element: <WayBackPage /> }], {
        apiRoot,
        path: `/r/${token}`,
      });
      await expectHarmless([content, reply]);
      unmount();
    }
  });

  // Threat model: sender-17.
  test('to staff: reports, comments and reasons', async () => {
    const action = (reason: string, index: number) => ({
      ...{ id: index + 1, reportId: 1, action: 'dismiss', reason, days: null, by: 'salem', createdAt },
      undone: index % 2 === 0 ? null : { by: 'salem', reason, createdAt },
    });
    const actions = reasons.map(action);
    const reports = contents.map((content, index) => ({
      id: index + 1,
      message: {
        ...{
          content,
          isPublic: false,
          imageUrl: null,
          audioUrl: null,
          audioDuration: null,
          audioPeaks: null,
          createdAt,
        },
      },
      ...{ reasons: ['spam'], reasonCounts: { spam: 1 }, comments, reports: 1, senderReportedBefore: 'none' },
      ...{ senderActions: {}, createdAt, status: 'open', assignedTo: null, actions },
    }));
    const answers = {
      'GET /admin/reports': { body: reports, headers: { 'x-total-count': String(reports.length) } },
      'GET /admin/reports/counts': { body: { open: reports.length, mine: 0, closed: 0 } },
      'GET /admin/actions': { body: actions },
      ...Object.fromEntries(
        reports.map((report) => [`POST /admin/reports/${String(report.id)}/open`, { body: report }]),
      ),
    };
    const { user, unmount } = await openAdmin({ path: '/admin?tab=reports', answers });
    for (const [index, content] of contents.entries()) {
      await user.click(await row(index));
      await expectHarmless([content, ...comments]);
    }
    unmount();
    await openAdmin({ path: '/admin?tab=history', answers });
    await screen.findAllByTestId('past-action');
    await expectHarmless(reasons.filter((_, index) => index % 2 === 0));
    for (const reason of reasons)
      expect(document.body.textContent.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')).toContain(
        reason.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ''),
      );
  });

  // Threat model: sender-17.
  test('to staff: tracked messages and what their senders sent besides', async () => {
    const records = contents.map((content, index) =>
      buildTrackingRecord(
        index + 1,
        {
          userAgent: turn(headers, index),
          referrer: turn(headers, index + 1),
          language: turn(headers, index + 2),
          additionalData: { acceptedLanguages: [turn(headers, index + 3)] },
        },
        { content },
      ),
    );
    const { user } = await openAdmin({
      answers: { ...tracked(records), 'GET /admin/sender-tracking': { body: records } },
    });
    for (const [index, content] of contents.entries()) {
      await user.click(await row(index));
      await expectHarmless([content, turn(headers, index), turn(headers, index + 1)]);
    }
  });

  // Threat model: sender-17.
  test('to staff: conversations', async () => {
    const [answer = ''] = packedFor(7_900);
    const questions = packedFor(BOUNDS.question.max);
    const conversations = questions.map((userMessage, index) =>
      buildConversation(index + 1, { userMessage, botResponse: answer, userName: turn(names, index) }),
    );
    const { user } = await openAdmin({
      path: '/admin?tab=chatbot',
      answers: { 'GET /admin/chat-bot/messages': { body: conversations } },
    });
    for (const [index, question] of questions.entries()) {
      await user.click(await row(index));
      await expectHarmless([question, answer]);
    }
  });

  // Threat model: sender-17.
  test('in the chat, as question and as answer', async () => {
    const [answer = ''] = packedFor(7_900);
    const { apiRoot } = await startApi({
      'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } },
      'POST /chat': { body: { response: answer } },
    });
    const { user } = renderRoutes([{ path: '*', element: <ChatWidget /> }], { apiRoot });
    await user.click(await screen.findByRole('button', { name: 'Open the smart assistant' }));
    await screen.findByRole('dialog');
    for (const [index, question] of packedFor(BOUNDS.question.max).entries()) {
      fireEvent.change(screen.getByRole('textbox', { name: 'Your question' }), { target: { value: question } });
      await user.click(screen.getByRole('button', { name: 'Send' }));
      await waitFor(() => {
        expect(screen.getAllByTestId('chat-reply')).toHaveLength(index + 2);
      });
      await expectHarmless([question, answer]);
    }
  });

  // Threat model: sender-17.
  test.each(['ar', 'en'] as const)("on the page in an account's file, which has no policy (%s)", async (language) => {
    const messages = contents.map((content, id) => ({
      ...{ id, createdAt, content, isRead: true, isPublic: true, isSetAside: false, picture: null, sound: null },
      prompt: turn(prompts, id),
      reply: buildReply(turn(replies, id)),
    }));
    for (const [index, bio] of bios.entries()) {
      const name = turn(names, index);
      let markup = '';
      const account = { username: 'noura', name, bio };
      const sent = messages.map((message) => ({ ...message, picture: false, voice: false }));
      const pieces = exportPage({ account, received: Readable.from(messages), sent: Readable.from(sent) }, language);
      for await (const piece of pieces) markup += piece;
      const page = new DOMParser().parseFromString(markup, 'text/html');
      expect(page.querySelectorAll('script, link, [href], [onerror], [onload], svg, form')).toHaveLength(0);
      expect(page.querySelectorAll('style')).toHaveLength(1);
      expect(page.querySelectorAll('article')).toHaveLength(2 * messages.length);
      document.body.innerHTML = page.body.innerHTML;
      await expectHarmless([bio, ...contents]);
      expect(page.querySelector('h1')?.textContent).toContain(name);
      expect(page.title).toBe(page.querySelector('h1')?.textContent.replaceAll(/\s+/g, ' '));
      document.body.innerHTML = '';
    }
  });
});

describe.each([
  ['ar', 0],
  ['en', 1],
] as const)('the server renders a hostile text as it was written (%s)', (language, parity) => {
  /** The others come in the other language. */
  const ours = HOSTILE_TEXTS.filter((_, index) => index % 2 === parity);
  const noMessages = { items: [], link: null, total: 0 };

  /** The parsed page, after a check for foreign markup. */
  async function read(
    data: Parameters<typeof renderPublicPage>[0]['data'],
    { username = 'noura', asked }: { username?: string; asked?: number } = {},
  ): Promise<Document> {
    const pathname = `/m/${encodeURIComponent(username)}`;
    const request = {
      language,
      pathname,
      username,
      data,
      renderedAt: Date.now(),
      ...(asked !== undefined && { asked }),
    };
    const { body, styles } = await renderPublicPage(request);
    const markup = `<head>${styles}</head><body><div>${body}</div></body>`;
    const page = new DOMParser().parseFromString(markup, 'text/html');
    expect(strangeMarkup(page)).toEqual([]);
    return page;
  }

  // Threat model: sender-15, sender-17.
  test.each(ours)('as a name, a word about oneself and a question: %s', async (text) => {
    const asked = 4;
    const owner = buildProfile({
      ...{ name: text, bio: text, avatar: `/image/${encodeURIComponent(text)}` },
      prompts: [{ id: asked, content: text }],
    });
    const page = await read({ profile: owner, messages: noMessages }, { asked });
    for (const part of ['h1', '[data-testid="asked-question"]'])
      expect(withoutControls(page.querySelector(part)?.textContent)).toContain(withoutControls(text));
    expect(missingTexts([text], page)).toEqual([]);
    await read({ profile: null }, { username: text });
  });

  test('in messages and replies', async () => {
    const items = ours.map((content, index) => ({
      ...published,
      ...{ id: index + 1, content, reply: { content, createdAt: published.createdAt } },
    }));
    const page = await read({ profile: buildProfile(), messages: { items, link: null, total: items.length } });
    for (const place of ['[data-testid="message-text"]', '[data-testid="reply"] p'])
      expect([...page.querySelectorAll(place)].map(({ textContent }) => textContent)).toEqual(ours);
  });

  test('as the word of a paused page', async () => {
    for (const notice of packedFor(BOUNDS.notice.max, ours)) {
      const receiving = { from: 'nobody' as const, minimumDays: 7, notice };
      const page = await read({ profile: buildProfile({ receiving }), messages: noMessages });
      expect(missingTexts([notice], page)).toEqual([]);
    }
  });
});
