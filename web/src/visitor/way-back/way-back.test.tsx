import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { keepDraft, keepOnDevice, readDraft } from '../../lib/drafts.js';
import { saveWayBack, savedWaysBack } from '../../lib/kept-ways.js';
import { buildReply, buildSentMessage, buildUser } from '../../test/factories.js';
import { openPage, published } from '../../test/open-public-page.js';
import { renderRoutes } from '../../test/render.js';
import { installPlayback } from '../../test/sound.js';
import { emit, installEventSource } from '../../test/event-source.js';
import { startApi, type Answer, type Answers } from '../../test/server.js';
import { applySession } from '../../shared/session/index.js';
import { SentHerePage, WayBackPage } from './index.js';

const TOKEN = 'abcdefghijklmnopqrstuv';
const PATH = `/r/${TOKEN}`;
const CALL = `/ways-back/${TOKEN}`;
const GONE = { status: 404, body: { message: 'There is no such message.', code: 'message_not_found' } };

const waiting = {
  recipient: { id: 1, username: 'noura', name: 'Noura Alali', avatar: null },
  ornament: 'ba2945b603ffaf56',
  content: 'What is the best advice you were ever given?',
  imageUrl: null,
  audioUrl: null,
  audioDuration: null,
  audioPeaks: null,
  createdAt: '2026-11-18T18:42:00.000Z',
  isRead: false,
  isPublic: false,
  reply: null,
  canDelete: true,
  turns: [],
  isLastRead: false,
  canWrite: false,
  hasEnded: false,
};
const answered = {
  ...waiting,
  isRead: true,
  isPublic: true,
  canDelete: false,
  reply: { content: 'Do not explain yourself.', createdAt: '2026-11-19T10:00:00.000Z' },
};

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

/** @param first state of the way back. `becomes` replaces it */
async function open(
  first: Answer,
  { answers = {}, language = 'en', path = PATH }: { answers?: Answers; language?: 'ar' | 'en'; path?: string } = {},
) {
  let current = first;
  const api = await startApi({ [`GET ${CALL}`]: () => current, ...answers });
  const routes = [
    { path: '/r', element: <SentHerePage /> },
    ...['/r/:token', '/sent'].map((path) => ({ path, element: <WayBackPage /> })),
    { path: '/profile', element: <p>the dashboard</p> },
  ];
  const becomes = (next: Answer) => {
    current = next;
  };
  return { becomes, api, ...renderRoutes(routes, { apiRoot: api.apiRoot, path, language }) };
}

describe('a sent message', () => {
  test('is followed by one message after its answer, from any device of its account', async () => {
    const answered = buildSentMessage({ id: 9, content: 'first', reply: buildReply('thank you'), canWrite: true });
    let listed = [answered];
    const { user, api } = await open(GONE, {
      path: '/sent?id=9',
      answers: {
        'GET /user': { body: buildUser({ id: 4 }) },
        'GET /messages/sent': () => ({ body: listed }),
        'POST /messages/9/follow-ups': () => {
          listed = [{ ...answered, canWrite: undefined }];
          return { status: 201, body: { ...answered, id: 10, content: 'second' } };
        },
      },
    });
    expect((await screen.findAllByTestId('turn')).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('first'),
      expect.stringContaining('thank you'),
    ]);
    await user.type(await screen.findByLabelText('Message text'), 'second');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Waiting for a reply')).toBeVisible();
    expect(screen.queryByLabelText('Message text')).not.toBeInTheDocument();
    expect(api.callsTo('POST /messages/9/follow-ups')).toMatchObject([{ body: { content: 'second' } }]);
    expect(api.callsTo('GET /messages/sent')[0]?.query.get('ids')).toBe('9');
  });

  test('of another account leads to the own page', async () => {
    await open(GONE, { path: '/sent?id=9', answers: { 'GET /messages/sent': { body: [] } } });
    expect(await screen.findByText('the dashboard')).toBeVisible();
  });
});

const steps = async () =>
  within(await screen.findByRole('list', { name: 'What became of it' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the page of a way back', () => {
  test('a way back shows an unread message, which can be deleted', async () => {
    const { user, becomes } = await open({ body: waiting }, { answers: { [`DELETE ${CALL}`]: { status: 204 } } });
    saveWayBack({ path: PATH, messageId: 9, username: 'noura', sentAt: waiting.createdAt });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Your message to ⁨Noura Alali⁩');
    expect(await steps()).toEqual(['Arrived18 November', 'Not read yet', 'No reply yet']);
    expect(screen.getByText('You can delete it until it is read.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Write to ⁨Noura⁩ again' })).toHaveAttribute('href', '/m/noura');

    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(
      'It is deleted for ⁨Noura⁩ too, and this link ends.',
    );
    becomes(GONE);
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Nothing of it is left with ⁨Noura⁩.')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'There is no message behind this link' })).toBeVisible();
    expect(savedWaysBack()).toEqual([]);
  });

  test('a way back shows that a message is on its way, until which it can be deleted', async () => {
    await open({ body: { ...waiting, isRead: null, arrivesBy: '2026-11-19T00:42:00.000Z' } });
    expect(await screen.findByRole('heading', { name: 'On its way' })).toBeVisible();
    expect(screen.getByText('⁨Noura⁩ sees nothing of it yet.')).toBeVisible();
    expect(await steps()).toEqual(['On its way18 November', 'Reading is not shown', 'No reply yet']);
    expect(screen.getByText('You can delete it until it arrives.')).toBeVisible();
  });

  test('a way back shows a reply that came before its event stream', async () => {
    installEventSource();
    const { becomes } = await open({ body: waiting });
    expect(await steps()).toContain('No reply yet');
    becomes({ body: answered });
    emit('open', null);
    expect(await screen.findByText('Do not explain yourself.')).toBeVisible();
    Reflect.deleteProperty(globalThis, 'EventSource');
  });

  test('a way back shows the reply, and that it is public', async () => {
    await open({ body: answered });
    expect(await screen.findByText('Do not explain yourself.')).toBeVisible();
    expect(await steps()).toEqual(['Arrived18 November', 'Read', 'Answered19 November']);
    expect(screen.getByText('Public')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  });

  test.each([
    ['arrived', waiting, 'Letter nun, one dot: your message arrived and has not been read yet.', 1],
    ['arrived', { ...waiting, isRead: null }, 'Letter nun, one dot: your message arrived. The owner does not show', 1],
    ['read', { ...waiting, isRead: true }, 'Letter ta, two dots: your message was read and has no reply yet.', 2],
    ['answered', { ...answered, isRead: null }, 'Letter tha, three dots: your message was answered.', 3],
  ] as const)('says by a letter what became of it (%#)', async (letter, wayBack, words, dots) => {
    const icon = document.createElement('link');
    Object.assign(icon, { rel: 'icon', href: '/favicon.svg' });
    document.head.append(icon);
    const { unmount } = await open({ body: wayBack });
    const group = await screen.findByRole('group', { name: new RegExp(`^${words}`) });
    const drawn = group.querySelector(`[data-letter="${letter}"]`);
    expect(drawn?.querySelectorAll('path')).toHaveLength(1 + dots);
    expect(drawn?.querySelector('[data-part="new"]')).toBeNull();
    expect(within(group).getByRole('status')).toBeEmptyDOMElement();
    expect(decodeURIComponent(icon.href).match(/<path/g)).toHaveLength(1 + dots);
    unmount();
    expect(icon.href).toMatch(/\/favicon\.svg$/);
    icon.remove();
  });

  test('a way back says that reading is hidden, and how long the message can be deleted', async () => {
    await open({ body: { ...waiting, isRead: null } });
    expect(await steps()).toEqual(['Arrived18 November', 'Reading is not shown', 'No reply yet']);
    expect(screen.getByText('You can delete it within ten minutes of sending it.')).toBeVisible();
  });

  test('a refused deletion says in Arabic that the message was read, and shows its state', async () => {
    const { user, becomes } = await open(
      { body: waiting },
      {
        answers: { [`DELETE ${CALL}`]: { status: 409, body: { message: 'Read.', code: 'already_read' } } },
        language: 'ar',
      },
    );
    await user.click(await screen.findByRole('button', { name: 'احذفها' }));
    becomes({ body: { ...waiting, isRead: true, canDelete: false } });
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'احذفها' }));
    expect(await screen.findByText('قُرئت رسالتك قبل حذفها')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'قُرئت' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'احذفها' })).toBeNull();
  });

  test('a way back plays sound and shows the picture by paths of its token', async () => {
    const files = { imageUrl: `${CALL}/image`, audioUrl: `${CALL}/audio`, audioDuration: 16, audioPeaks: [10, 90] };
    installPlayback();
    await open({ body: { ...waiting, ...files } });
    expect(await screen.findByTestId('message-image')).toHaveAttribute(
      'src',
      expect.stringContaining(`/api${CALL}/image`),
    );
    expect((await screen.findByTestId('sound')).querySelector('audio')).toHaveAttribute('src', `/api${CALL}/audio`);
  });

  test('a way back says that there is no message, or that it could not be opened', async () => {
    const { unmount } = await open(GONE);
    expect(await screen.findByText(/We cannot bring it back/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/');
    unmount();
    const { user, becomes } = await open({ status: 429, body: { message: 'Too many.', code: 'too_many_requests' } });
    expect(await screen.findByText('Your message could not be opened')).toBeVisible();
    becomes({ body: waiting });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(waiting.content)).toBeVisible();
  });
});

describe('a conversation', () => {
  const turn = (id: number, content: string, more: object = {}) => ({
    ...{ id, from: id % 2 === 1 ? 'sender' : 'recipient', content, createdAt: '2026-11-20T10:00:00.000Z' },
    ...{ imageUrl: null, audioUrl: null, audioDuration: null, audioPeaks: null, ornament: null, ...more },
  });
  const two = [turn(1, answered.content), turn(2, answered.reply.content)];
  const yours = { ...answered, turns: two, isLastRead: true, canWrite: true };
  const unread = { ...yours, turns: [...two, turn(3, 'I read it twice.')], isLastRead: false, canWrite: false };
  const NEXT = `POST ${CALL}/messages`;

  test('a sender writes once after the answer, without a new way back, and waits', async () => {
    const sent = { status: 201, body: { ...published, wayBack: undefined } };
    const { user, becomes, api } = await open({ body: yours }, { answers: { [NEXT]: sent } });
    await user.type(await screen.findByLabelText('Message text'), 'I read it twice.');
    expect(screen.getByText(/reaches ⁨Noura⁩ without your name/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Suggest a question' })).toBeNull();
    becomes({ body: unread });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Waiting for a reply')).toHaveFocus();
    expect(screen.queryByLabelText('Message text')).toBeNull();
    expect(screen.getAllByTestId('turn').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('I read it twice.'),
    ]);
    expect(screen.getByRole('heading', { name: 'It arrived' })).toBeVisible();
    const [call] = api.calls.filter(({ method }) => method === 'POST');
    expect([call?.body, call?.headers['idempotency-key']]).toEqual([
      { content: 'I read it twice.' },
      expect.stringMatching(/^[\da-f-]{36}$/),
    ]);
  });

  test('what is written stays through a reload, and through a refusal that shows the state of now', async () => {
    const refusal = { status: 409, body: { message: 'Wait.', code: 'not_your_turn' } };
    const first = await open({ body: yours }, { answers: { [NEXT]: refusal } });
    await first.user.type(await screen.findByLabelText('Message text'), 'kept words');
    await waitFor(() => expect(Object.values({ ...sessionStorage }).join()).toContain('kept words'));
    first.unmount();
    const { user, becomes } = await open({ body: yours }, { answers: { [NEXT]: refusal } });
    await waitFor(() => expect(screen.getByLabelText('Message text')).toHaveValue('kept words'));
    becomes({ body: unread });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText(/write again after the reply/)).toBeVisible();
    expect(await screen.findByText('Waiting for a reply')).toBeVisible();
  });

  test('the last message alone is deleted, and the way back stays', async () => {
    const answers = { [`DELETE ${CALL}`]: { status: 204 } };
    const { user, becomes } = await open({ body: { ...unread, canDelete: true } }, { answers });
    saveWayBack({ path: PATH, messageId: 9, username: 'noura', sentAt: waiting.createdAt });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent('you may write another');
    becomes({ body: yours });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByLabelText('Message text')).toBeVisible();
    expect(savedWaysBack()).toHaveLength(1);
  });

  test('a sender ends it: the link opens nothing any more', async () => {
    const answers = { [`DELETE ${CALL}/conversation`]: { status: 204 } };
    const { user, becomes } = await open({ body: yours }, { answers });
    saveWayBack({ path: PATH, messageId: 9, username: 'noura', sentAt: waiting.createdAt });
    await user.click(await screen.findByRole('button', { name: 'End the conversation' }));
    becomes(GONE);
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End the conversation' }),
    );
    expect(await screen.findByRole('heading', { name: 'There is no message behind this link' })).toBeVisible();
    expect(savedWaysBack()).toEqual([]);
  });

  test('one that ended says so in Arabic, and leads to a new message', async () => {
    await open({ body: { ...unread, hasEnded: true } }, { language: 'ar' });
    expect(await screen.findByText('انتهت المحادثة')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByRole('link', { name: 'ابدأ رسالة جديدة إلى ⁨Noura⁩' })).toHaveAttribute('href', '/m/noura');
  });

  test('turns before the last fifty are shown by a button', async () => {
    const turns = Array.from({ length: 50 }, (_, index) => turn(index + 11, `turn ${String(index + 11)}`));
    const { user, becomes } = await open({ body: { ...yours, turns } });
    expect(await screen.findAllByTestId('turn')).toHaveLength(50);
    becomes({ body: { ...yours, turns: Array.from({ length: 10 }, (_, index) => turn(index + 1, 'early')) } });
    await user.click(screen.getByRole('button', { name: 'Show earlier' }));
    await waitFor(() => expect(screen.getAllByTestId('turn')).toHaveLength(58));
    expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull();
  });
});

describe('messages sent from this device', () => {
  const other = { path: `/r/${'z'.repeat(22)}`, messageId: 8, username: 'salem', sentAt: '2026-11-02T10:00:00.000Z' };

  const openList = async (answers: Answers) => {
    const api = await startApi(answers);
    return renderRoutes([{ path: '/r', element: <SentHerePage /> }], { apiRoot: api.apiRoot, path: '/r' });
  };

  test('sent messages are listed with their state, also deleted ones, and forgotten with one button', async () => {
    saveWayBack(other);
    saveWayBack({ path: PATH, messageId: 9, username: 'noura', sentAt: waiting.createdAt });
    const { user } = await openList({
      [`GET ${CALL}`]: { body: answered },
      'GET /ways-back/zzzzzzzzzzzzzzzzzzzzzz': GONE,
    });
    const link = await screen.findByRole('link', { name: /best advice/ });
    expect(link).toHaveAttribute('href', PATH);
    expect(link).toHaveTextContent('To @noura 18 NovemberAnswered');
    expect(await screen.findByText('No message any more')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Forget them all' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Forget them all' }));
    expect(await screen.findByText(/Nothing was sent from this device yet/)).toBeVisible();
    expect(localStorage.getItem('ways-back')).toBeNull();
  });

  test('texts that were not sent can be forgotten, as many in the tab as on the device', async () => {
    keepDraft(1, { text: 'in the tab', account: null });
    keepOnDevice(2, { text: 'on the device', account: 7 });
    const { user } = await openList({});
    await user.click(await screen.findByRole('button', { name: 'Forget them all' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Forget them all' }));
    expect(await screen.findByText(/Nothing was sent from this device yet/)).toBeVisible();
    expect([readDraft(1, null), readDraft(2, 7)]).toEqual([null, null]);
  });

  // Threat model: device-1.
  test('the list of sent messages shows whose they are, and none of another account', async () => {
    saveWayBack({ ...other, path: `/r/${'y'.repeat(22)}`, account: 2 });
    saveWayBack({ ...other, account: null });
    saveWayBack({ path: PATH, messageId: 9, username: 'noura', sentAt: waiting.createdAt, account: 1 });
    await openList({
      [`GET ${CALL}`]: { body: answered },
      'GET /ways-back/zzzzzzzzzzzzzzzzzzzzzz': { body: { ...waiting, content: 'from a visitor' } },
      'GET /user': { body: buildUser({ id: 1 }) },
    });
    const own = await screen.findByRole('list', { name: 'Sent with your account' });
    expect(await within(own).findByRole('link', { name: /best advice/ })).toHaveAttribute('href', PATH);
    expect(within(own).getAllByRole('listitem')).toHaveLength(1);
    const ofAnyone = within(screen.getByRole('list', { name: 'Sent without an account' }));
    expect(await ofAnyone.findByRole('link', { name: /from a visitor/ })).toHaveAttribute('href', other.path);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByText(/leave this device when you sign out/)).toBeVisible();
    expect(screen.getByText(/forgotten here 90 days after its last use/)).toBeVisible();
  });

  // Threat model: device-4.
  test('a way back is forgotten alone, and the message stays', async () => {
    saveWayBack(other);
    saveWayBack({ path: PATH, messageId: 9, username: 'noura', sentAt: waiting.createdAt });
    const { user } = await openList({
      [`GET ${CALL}`]: { body: answered },
      'GET /ways-back/zzzzzzzzzzzzzzzzzzzzzz': GONE,
    });
    const row = (await screen.findByText('No message any more')).closest('li');
    if (row === null) throw new Error('There is no row.');
    await user.click(within(row).getByRole('button', { name: 'Forget on this device' }));
    expect(savedWaysBack().map(({ path }) => path)).toEqual([PATH]);
    expect(row).not.toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /best advice/ })).toBeVisible();
    expect(await screen.findByText('Forgotten on this device')).toBeVisible();
  });

  // Threat model: device-4.
  test('a way back is forgotten ninety days after its last use', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    localStorage.setItem(
      'ways-back',
      JSON.stringify([
        { ...other, account: null, usedOn: daysAgo(92) },
        { ...other, path: PATH, account: null, usedOn: daysAgo(88) },
      ]),
    );
    await openList({ [`GET ${CALL}`]: { body: answered } });
    expect(await screen.findByRole('link', { name: /best advice/ })).toHaveAttribute('href', PATH);
    await waitFor(() => {
      expect(localStorage.getItem('ways-back')).toContain(daysAgo(0));
    });
    expect(localStorage.getItem('ways-back')).not.toContain(other.path);
  });

  test('the list of sent messages survives foreign data in the storage', async () => {
    const kept = { ...other, account: null, usedOn: new Date().toISOString().slice(0, 10) };
    localStorage.setItem('ways-back', JSON.stringify([{ ...kept, path: 'javascript:alert(1)' }, null, 7, other, kept]));
    await openList({ 'GET /ways-back/zzzzzzzzzzzzzzzzzzzzzz': { body: answered } });
    expect(await screen.findByRole('link', { name: /best advice/ })).toHaveAttribute('href', other.path);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });
});

describe('after sending', () => {
  const sent = { status: 201, body: { ...published, reply: undefined, wayBack: PATH } };

  test('the way back replaces the form, and is stored on this device unless turned off', async () => {
    const { user } = await openPage({ answers: { 'POST /messages': sent } });
    await user.type(await screen.findByLabelText('Message text'), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByRole('heading', { name: 'It’s there.' })).toHaveFocus();
    expect(screen.getByTestId('way-back')).toHaveTextContent(PATH);
    expect(savedWaysBack()).toMatchObject([
      { path: PATH, messageId: 9, username: 'noura', sentAt: published.createdAt, account: null },
    ]);

    expect(screen.getByRole('link', { name: 'And you? Open a door like this one' })).toHaveAttribute(
      'rel',
      'noreferrer',
    );
    await user.click(screen.getByRole('button', { name: 'Copy the way back' }));
    expect(screen.getByRole('button', { name: 'Copied' })).toHaveFocus();
    expect(screen.getByText('Copied', { selector: '[role="status"]' })).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}${PATH}`);
    expect(await screen.findByRole('button', { name: 'Copy it again' })).toHaveFocus();
    expect(screen.queryByTestId('toast')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send it to yourself' })).toBeNull();

    await user.click(screen.getByText('There you read the reply, and delete it while unread.'));
    await user.click(screen.getByRole('switch', { name: 'Keep it on this device' }));
    expect(savedWaysBack()).toEqual([]);
    await user.click(screen.getByRole('switch', { name: 'Keep it on this device' }));
    expect(savedWaysBack()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Write another' }));
    expect(await screen.findByLabelText('Message text')).toHaveValue('');
    await waitFor(() => {
      expect(screen.getByLabelText('Message text')).toHaveFocus();
    });
  });

  test('a sender sends the way back to themselves by the share sheet, and copies it where that fails', async () => {
    const share = jest.fn((_data: ShareData) => Promise.resolve());
    Object.assign(navigator, { share });
    const { user } = await openPage({ language: 'ar', answers: { 'POST /messages': sent } });
    await user.type(await screen.findByLabelText('نصّ الرسالة'), 'مرحبًا');
    await user.click(screen.getByRole('button', { name: 'أرسل' }));
    const button = await screen.findByRole('button', { name: 'أرسله إلى نفسك' });
    await user.click(button);
    expect(share).toHaveBeenCalledWith({ url: `${window.location.origin}${PATH}` });
    share.mockRejectedValueOnce(new DOMException('Closed.', 'AbortError'));
    await user.click(button);
    expect(screen.getByRole('button', { name: 'انسخ رابط العودة' })).toBeVisible();
    share.mockRejectedValueOnce(new DOMException('Refused.', 'NotAllowedError'));
    await user.click(button);
    expect(await screen.findByRole('button', { name: 'نُسخ' })).toBeVisible();
    Reflect.deleteProperty(navigator, 'share');
  });

  // Threat model: device-1.
  test('the way back of an account is stored as its own, and leaves the screen with it', async () => {
    const { user, store } = await openPage({
      answers: { 'POST /messages': sent, 'GET /user': { body: buildUser({ id: 4 }) } },
    });
    await waitFor(() => {
      expect(localStorage.getItem('signed-in')).toBe('4');
    });
    await user.type(await screen.findByLabelText('Message text'), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByTestId('way-back');
    expect(savedWaysBack()).toMatchObject([{ path: PATH, account: 4 }]);
    await act(() => applySession(store.dispatch, () => Promise.resolve(null)));
    expect(await screen.findByLabelText('Message text')).toHaveValue('');
    await waitFor(() => {
      expect(savedWaysBack()).toEqual([]);
    });
  });
});
