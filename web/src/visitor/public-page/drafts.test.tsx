import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { buildUser } from '../../test/factories.js';
import { openPage, profile, published } from '../../test/open-public-page.js';
import type { Answers } from '../../test/server.js';

const DAY_MS = 24 * 60 * 60 * 1000;

afterEach(() => {
  localStorage.clear();
});

const sheet = () => screen.findByLabelText<HTMLTextAreaElement>('Message text');

const page = (from: 'everyone' | 'established') => ({
  ...profile,
  receiving: { from, minimumDays: 7, notice: '' },
});

const as = (id: number, ageDays = 100): Answers => ({
  'GET /user': {
    body: buildUser({
      id,
      username: `u${String(id)}`,
      createdAt: new Date(Date.now() - ageDays * DAY_MS).toISOString(),
    }),
  },
});

const OTHER: Answers = {
  'GET /users/salma': { body: { ...profile, id: 2, username: 'salma' } },
  'GET /messages/public/2': { body: [], headers: { 'x-total-count': '0' } },
};

/** The part that stores drafts loads when idle. */
const kept = () => waitFor(() => expect(sessionStorage).not.toHaveLength(0));

async function write(text: string, answers: Answers = {}) {
  const opened = await openPage({ answers });
  await opened.user.type(await sheet(), text);
  await kept();
  return opened;
}

/** Reopens a page, and waits for the part that restores drafts: offline it changes the button. */
async function openAgain(options: Parameters<typeof openPage>[0] = {}) {
  cleanup();
  const line = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { api } = await openPage(options);
  await screen.findByRole('button', { name: 'Send when back online' });
  await waitFor(() => {
    expect(api.callsTo('GET /auth-status')).toHaveLength(1);
  });
  line.mockRestore();
  return sheet();
}

describe('a text that was not sent', () => {
  test('a draft survives a reload, and shows on no other page', async () => {
    await write('half a sentence');
    expect(await openAgain({ answers: OTHER, path: '/m/salma' })).toHaveValue('');
    cleanup();
    await openPage();
    await waitFor(async () => expect(await sheet()).toHaveValue('half a sentence'));
  });

  // Threat model: device-2.
  test('a draft stays after signing in, and is hidden once its writer has signed out', async () => {
    await write('from a visitor');
    cleanup();
    const { user } = await openPage({ answers: as(7) });
    await waitFor(async () => expect(await sheet()).toHaveValue('from a visitor'));
    await user.type(await sheet(), ', signed in');
    await waitFor(() => expect(sessionStorage.getItem('draft-1-of-7')).toContain(', signed in'));
    expect(await openAgain()).toHaveValue('');
    expect(await openAgain({ answers: as(8) })).toHaveValue('');
  });

  // Threat model: device-2.
  test("a draft leaves the form when its writer's session ends, and others do not see it", async () => {
    let isSignedIn = true;
    const signedIn = as(7);
    const { user } = await openPage({
      answers: {
        'GET /user': () =>
          isSignedIn
            ? (signedIn['GET /user'] as { body: unknown })
            : { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } },
      },
    });
    await user.type(await sheet(), 'only for me');
    await waitFor(() => expect(sessionStorage.getItem('draft-1-of-7')).toContain('only for me'));
    isSignedIn = false;
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
    await waitFor(async () => expect(await sheet()).toHaveValue(''));
    await user.type(await sheet(), 'by the next one');
    await waitFor(() => expect(sessionStorage.getItem('draft-1')).toContain('by the next one'));
    await user.clear(await sheet());
    await waitFor(() => expect(sessionStorage.getItem('draft-1')).toBeNull());
    cleanup();
    await openPage({ answers: as(7) });
    await waitFor(async () => expect(await sheet()).toHaveValue('only for me'));
  });

  test('a draft is there again with its picture, and both are sent once', async () => {
    const shown = () => screen.queryByRole('img', { name: 'The image you will send' });
    const { user, api } = await write('look', { 'POST /messages': () => new Promise(() => undefined) });
    await user.upload(screen.getByTestId('image-file'), new File(['bytes'], 'sea.png', { type: 'image/png' }));
    await waitFor(() => expect(sessionStorage.getItem('draft-picture-1')).not.toBeNull());
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(api.callsTo('POST /messages')).toHaveLength(1));
    expect(await openAgain({ answers: OTHER, path: '/m/salma' })).toHaveValue('');
    expect(shown()).toBeNull();
    cleanup();
    const again = await openPage();
    await waitFor(() => expect(shown()).toBeVisible());
    expect(await sheet()).toHaveValue('look');
    await again.user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
    const [first, second] = [api, again.api].flatMap(({ callsTo }) => callsTo('POST /messages'));
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  test('a sent draft is deleted', async () => {
    const { user } = await write('a whole sentence');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
    expect(await openAgain()).toHaveValue('');
  });

  test('a draft is deleted with its answer after its page was left, and its way back is stored', async () => {
    const wayBack = '/r/abcdefghijklmnopqrstuv';
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user, api } = await write('on its way', {
      'POST /messages': async () => {
        await held;
        return { status: 201, body: { ...published, reply: undefined, wayBack } };
      },
    });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(api.callsTo('POST /messages')).toHaveLength(1));
    cleanup();
    answer();
    await waitFor(() => expect(localStorage.getItem('ways-back')).toContain(wayBack));
    expect(sessionStorage).toHaveLength(0);
    expect(await openAgain()).toHaveValue('');
  });

  test('a draft is sent once although the page is reloaded meanwhile', async () => {
    const { user, api } = await write('on its way', { 'POST /messages': () => new Promise(() => undefined) });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(api.callsTo('POST /messages')).toHaveLength(1));
    cleanup();
    const again = await openPage();
    await waitFor(async () => expect(await sheet()).toHaveValue('on its way'));
    await again.user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    const [key, ...others] = [api, again.api].flatMap(({ callsTo }) =>
      callsTo('POST /messages').map(({ headers }) => headers['idempotency-key']),
    );
    expect(others).toEqual([key]);
  });

  test('a cleared draft is deleted', async () => {
    const { user } = await write('a whole sentence');
    await user.clear(await sheet());
    expect(sessionStorage).toHaveLength(0);
  });

  test('a draft is kept on the device only on request of an account that is too new', async () => {
    await write('for next week', as(7, 1));
    expect(localStorage.getItem('draft-1-of-7')).toBeNull();
    cleanup();
    const { user } = await openPage({ answers: { ...as(7, 1), 'GET /users/noura': { body: page('established') } } });
    await user.click(await screen.findByRole('button', { name: 'Keep my text on this device' }));
    expect(screen.getByRole('status')).toHaveTextContent('Your text is kept on this device.');
    expect(screen.getByRole('button', { name: 'Forget it' })).toHaveFocus();

    sessionStorage.clear();
    expect(await openAgain()).toHaveValue('');
    expect(await openAgain({ answers: as(8) })).toHaveValue('');
    cleanup();
    const later = await openPage({ answers: as(7) });
    await waitFor(async () => expect(await sheet()).toHaveValue('for next week'));
    await later.user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(localStorage.getItem('draft-1-of-7')).toBeNull();
  });

  test('a refused new account can keep its draft, and forget it', async () => {
    const refusal = { message: 'No.', code: 'account_too_new', minimumDays: 7 };
    const { user } = await write('too early', { ...as(7, 1), 'POST /messages': { status: 403, body: refusal } });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await user.click(await screen.findByRole('button', { name: 'Keep my text on this device' }));
    expect(localStorage.getItem('draft-1-of-7')).toContain('too early');
    await user.click(screen.getByRole('button', { name: 'Forget it' }));
    expect(localStorage.getItem('draft-1-of-7')).toBeNull();
    expect(await sheet()).toHaveValue('too early');
  });
});
