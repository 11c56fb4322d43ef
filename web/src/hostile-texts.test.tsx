// Long run: hostile texts at length.
import './test/setup.js';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS } from '@najwa/proto/http/client';
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
import { HOSTILE_TEXTS, missingTexts, packedFor, strangeMarkup } from './test/hostile.js';
import { openAdmin, row, tracked } from './test/open-admin.js';
import { card, openInbox } from './test/open-inbox.js';
import { openPage, profile, published } from './test/open-public-page.js';
import { renderElement, renderRoutes } from './test/render.js';
import { startApi } from './test/server.js';

/* Every hostile text in every user field, on every page. web/e2e/hostile-texts.test.ts tries some in a browser. */

/** One by one where a page lists them; together where a field has one value: each must show whole. */
const contents = packedFor(LIMITS.text.message.max);
const whole = HOSTILE_TEXTS.join('\n');
/** Tells the text of a second field from that of the first. */
const other = (text: string) => `${text}\n2`;
/** The characters of request headers. */
const header = HOSTILE_TEXTS.filter((text) => /^[ -~]+$/.test(text)).join(' ');
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
      prompt: { id: index + 1, content },
      reply: buildReply(content),
    }));
    await openPage({
      answers: {
        'GET /users/noura': { body: { ...profile, name: whole, bio: whole } },
        'GET /messages/public/1': { body: items, headers: { 'x-total-count': String(items.length) } },
      },
    });
    await expectHarmless([whole, ...contents]);
  });

  // Threat model: sender-17.
  test('as the word of a paused page', async () => {
    const receiving = { from: 'nobody', minimumDays: 7, notice: whole };
    await openPage({ answers: { 'GET /users/noura': { body: { ...profile, receiving } } } });
    await expectHarmless([whole]);
  });

  // Threat model: sender-17.
  test.each(['in a received message', 'sent'] as const)('to the owner, as a message that was %s', async (kind) => {
    const inbox = contents.map((content, index) =>
      buildMessage({ id: index + 1, content, reply: buildReply(other(content)) }),
    );
    const sent = contents.map((content, index) =>
      buildSentMessage({
        id: index + 1,
        content,
        recipient: { username: 'salem', name: content },
        reply: buildReply(other(content)),
      }),
    );
    await openInbox(kind === 'sent' ? { inbox: [], sent } : { inbox });
    fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message')).toHaveLength(contents.length);
    });
    for (const [index, content] of contents.entries()) {
      await card(index + 1);
      await expectHarmless([content, other(content)]);
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
    await user.click((await card(contents.length)).getByRole('button', { name: 'Reply' }));
    await screen.findByRole('dialog');
    expect(strangeMarkup()).toEqual([]);
  });

  // Threat model: sender-17.
  test('to the owner, where it was set aside', async () => {
    const aside = contents.map((content, index) => ({
      ...buildMessage({ id: index + 1, content }),
      reason: 'filtered',
      matched: content,
    }));
    const { user } = await openInbox(
      { inbox: [] },
      { answers: { 'GET /messages': ({ query }) => ({ body: query.get('folder') === 'aside' ? aside : [] }) } },
    );
    await user.click(await screen.findByRole('button', { name: /Set aside/ }));
    await screen.findAllByTestId('aside-message');
    await expectHarmless(contents);
  });

  const routes = [{ element: <RequireUser />, children: [{ path: '/settings/*', element: <SettingsPage /> }] }];

  // Threat model: sender-17.
  test('in the settings: name and words about oneself', async () => {
    const { apiRoot } = await startApi({ 'GET /user': { body: buildUser({ name: whole, bio: whole }) } });
    renderRoutes(routes, { apiRoot, path: '/settings' });
    // A field of one line leaves line breaks out.
    await expectHarmless([whole.replaceAll(/[\r\n]/g, ''), whole]);
  });

  // Threat model: sender-17.
  test('in the settings: filters, blocks, the word of a paused page and questions', async () => {
    const { apiRoot } = await startApi({
      'GET /user': { body: buildUser() },
      'GET /users/receiving': {
        body: { from: 'nobody', minimumDays: 7, notice: whole, presence: 'coarse', readReceipts: true },
      },
      'GET /filters': { body: { words: contents.map(other), lists: [] } },
      'GET /blocks': {
        body: contents.map((excerpt, index) => ({ id: index + 1, messageId: index + 1, excerpt, createdAt })),
      },
      'GET /reports': { body: [] },
      'GET /prompts': { body: contents.map((content, index) => ({ id: index + 1, content, createdAt })) },
    });
    const { unmount } = renderRoutes(routes, { apiRoot, path: '/settings/receiving' });
    await expectHarmless([whole, ...contents, ...contents.map(other)]);
    unmount();
    renderRoutes(routes, { apiRoot, path: '/settings/questions' });
    await expectHarmless(contents);
  });

  // Threat model: sender-17.
  test('at the bell', async () => {
    const notifications = contents.map((excerpt, index) => ({
      ...{ id: index + 1, kind: 'reply', readAt: null, createdAt },
      subject: { messageId: index + 1, username: 'salem', excerpt },
    }));
    const { apiRoot } = await startApi({ 'GET /notifications': { body: notifications } });
    const { user } = renderElement(<NotificationBell />, { apiRoot });
    await user.click(await screen.findByTestId('bell'));
    const rows = await screen.findAllByTestId('notification');
    expect(rows.map(({ textContent }) => textContent)).toEqual(
      contents.map((content) => expect.stringContaining(withoutControls(content))),
    );
    expect(strangeMarkup()).toEqual([]);
  });

  // Threat model: sender-17.
  test('on the way back', async () => {
    const token = 'a'.repeat(22);
    const { apiRoot } = await startApi({
      [`GET /ways-back/${token}`]: {
        body: {
          recipient: { id: 1, username: 'noura', name: whole, avatar: null },
          ornament: 'ba2945b603ffaf56',
          ...{ content: whole, imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null, createdAt },
          ...{ isRead: true, isPublic: true, canDelete: false, turns: [], canWrite: false, hasEnded: false },
          reply: buildReply(other(whole)),
        },
      },
    });
    renderRoutes([{ path: '/r/:token', element: <WayBackPage /> }], { apiRoot, path: `/r/${token}` });
    await expectHarmless([whole, other(whole)]);
  });

  // Threat model: sender-17.
  test('to staff: reports, comments and reasons', async () => {
    const action = (reason: string, index: number) => ({
      ...{ id: index + 1, reportId: 1, action: 'dismiss', reason, days: null, by: 'salem', createdAt },
      undone: index % 2 === 0 ? null : { by: 'salem', reason, createdAt },
    });
    const actions = contents.map(action);
    const report = {
      id: 1,
      message: {
        ...{ content: whole, isPublic: false, imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null },
        createdAt,
      },
      ...{ reasons: ['spam'], reasonCounts: { spam: 1 }, comments: contents, reports: 1 },
      ...{ senderReportedBefore: 'none', senderActions: {}, createdAt, status: 'open', assignedTo: null, actions },
    };
    const answers = {
      'GET /admin/reports': { body: [report], headers: { 'x-total-count': '1' } },
      'GET /admin/reports/counts': { body: { open: 1, mine: 0, closed: 0 } },
      'GET /admin/actions': { body: actions },
      'POST /admin/reports/1/open': { body: report },
    };
    const { user, unmount } = await openAdmin({ path: '/admin?tab=reports', answers });
    await user.click(await row(0));
    await expectHarmless([whole, ...contents]);
    unmount();
    await openAdmin({ path: '/admin?tab=history', answers });
    await screen.findAllByTestId('past-action');
    await expectHarmless(contents.filter((_, index) => index % 2 === 0));
    for (const reason of contents)
      expect(withoutControls(document.body.textContent)).toContain(withoutControls(reason));
  });

  // Threat model: sender-17.
  test('to staff: tracked messages and what their senders sent besides', async () => {
    const sender = { userAgent: header, referrer: header, language: header };
    const records = [
      buildTrackingRecord(1, { ...sender, additionalData: { acceptedLanguages: [header] } }, { content: whole }),
    ];
    const { user } = await openAdmin({
      answers: { ...tracked(records), 'GET /admin/sender-tracking': { body: records } },
    });
    await user.click(await row(0));
    await expectHarmless([header]);
    await user.click(screen.getByRole('button', { name: 'A threat' }));
    await expectHarmless([whole, header]);
  });

  // Threat model: sender-17.
  test('to staff: conversations', async () => {
    const answer = other(whole);
    const conversations = [buildConversation(1, { userMessage: whole, botResponse: answer, userName: whole })];
    const { user } = await openAdmin({
      path: '/admin?tab=chatbot',
      answers: { 'GET /admin/chat-bot/messages': { body: conversations } },
    });
    await user.click(await row(0));
    await expectHarmless([whole, answer]);
  });

  // Threat model: sender-17.
  test('in the chat, as question and as answer', async () => {
    const answer = other(whole);
    const { apiRoot } = await startApi({
      'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } },
      'POST /chat': { body: { response: answer } },
    });
    const { user } = renderRoutes([{ path: '*', element: <ChatWidget /> }], { apiRoot });
    await user.click(await screen.findByRole('button', { name: 'Open the smart assistant' }));
    await screen.findByRole('dialog');
    for (const [index, question] of packedFor(LIMITS.text.question.max).entries()) {
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
      prompt: content,
      reply: buildReply(content),
    }));
    const sent = messages.map((message) => ({ ...message, picture: false, voice: false }));
    const account = { username: 'noura', name: whole, bio: whole };
    let markup = '';
    const pieces = exportPage({ account, received: Readable.from(messages), sent: Readable.from(sent) }, language);
    for await (const piece of pieces) markup += piece;
    const page = new DOMParser().parseFromString(markup, 'text/html');
    expect(page.querySelectorAll('script, link, [href], [onerror], [onload], svg, form')).toHaveLength(0);
    expect(page.querySelectorAll('style')).toHaveLength(1);
    expect(page.querySelectorAll('article')).toHaveLength(2 * messages.length);
    document.body.innerHTML = page.body.innerHTML;
    await expectHarmless([whole, ...contents]);
    expect(page.querySelector('h1')?.textContent).toContain(whole);
    expect(page.title).toBe(page.querySelector('h1')?.textContent.replaceAll(/[\t\n\f\r ]+/g, ' '));
    document.body.innerHTML = '';
  });
});

describe.each(['ar', 'en'] as const)('the server renders a hostile text as it was written (%s)', (language) => {
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
  test('as a name, a word about oneself and a question', async () => {
    const asked = 4;
    const owner = buildProfile({
      ...{ name: whole, bio: whole, avatar: `/image/${encodeURIComponent(whole)}` },
      prompts: [{ id: asked, content: whole }],
    });
    const page = await read({ profile: owner, messages: noMessages }, { asked });
    for (const part of ['h1', '[data-testid="asked-question"]'])
      expect(withoutControls(page.querySelector(part)?.textContent)).toContain(withoutControls(whole));
    expect(missingTexts([whole], page)).toEqual([]);
    await read({ profile: null }, { username: whole });
  });

  test('in messages and replies', async () => {
    const items = contents.map((content, index) => ({
      ...published,
      ...{ id: index + 1, content, reply: { content, createdAt: published.createdAt } },
    }));
    const page = await read({ profile: buildProfile(), messages: { items, link: null, total: items.length } });
    for (const place of ['[data-testid="message-text"]', '[data-testid="reply"] p'])
      expect([...page.querySelectorAll(place)].map(({ textContent }) => textContent)).toEqual(contents);
  });

  test('as the word of a paused page', async () => {
    const receiving = { from: 'nobody' as const, minimumDays: 7, notice: whole };
    const page = await read({ profile: buildProfile({ receiving }), messages: noMessages });
    expect(missingTexts([whole], page)).toEqual([]);
  });
});
