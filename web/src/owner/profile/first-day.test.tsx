import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { buildUser } from '../../test/factories.js';
import { renderElement } from '../../test/render.js';
import { type Answers, startApi } from '../../test/server.js';
import { ProfilePage } from './index.js';

async function openPage({
  language = 'en',
  received = 0,
  answers = {},
}: { language?: Language; received?: number; answers?: Answers } = {}) {
  const api = await startApi({
    'GET /user': { body: buildUser() },
    'GET /messages': { body: [] },
    'GET /messages/sent': { body: [] },
    'GET /messages/public/1': { body: [] },
    'GET /messages/stats': { body: { received, sent: 0, read: received, unread: 0 } },
    'POST /prompts': ({ body }) => ({
      status: 201,
      body: { id: 99, createdAt: '2026-11-18T18:42:00.000Z', ...(body as { content: string }) },
    }),
    ...answers,
  });
  const routes = [{ path: '/settings/questions', element: <p>the questions</p> }];
  return { api, ...renderElement(<ProfilePage />, { apiRoot: api.apiRoot, language, routes }) };
}

const questions = async () => within(await screen.findByTestId('daily-questions')).findAllByRole('button');

describe('the first day of an account', () => {
  const { fetch: original } = globalThis;
  const shared: string[] = [];

  beforeEach(() => {
    shared.length = 0;
    globalThis.fetch = (input, init) => {
      if (typeof input !== 'string' || !input.startsWith('/story/')) return original(input, init);
      shared.push(input);
      return Promise.resolve(new Response('a picture'));
    };
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files = [] }: ShareData) => {
        shared.push(...files.map(({ name }) => name));
        return Promise.resolve();
      },
    });
  });
  afterEach(() => {
    globalThis.fetch = original;
    for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name);
  });

  test('an inbox without messages has three questions, and a press makes the page of one, with its picture', async () => {
    const { user, api } = await openPage();
    const [first, second, ...others] = await questions();
    expect([first?.textContent, others]).toEqual([expect.stringMatching(/\?$/), [expect.anything()]]);
    const question = second?.textContent ?? '';
    await user.click(second!);
    const dialog = within(await screen.findByRole('dialog', { name: question }));
    expect(dialog.getByText('Your question is a page now. Here is its picture, and here its link.')).toBeVisible();
    expect(dialog.getByRole('img', { name: 'Preview of the picture of your question' })).toHaveAttribute(
      'src',
      '/story/noura.png?ask=99',
    );
    const url = `${window.location.origin}/m/noura?ask=99`;
    await user.click(dialog.getByRole('button', { name: 'Copy link' }));
    expect(await navigator.clipboard.readText()).toBe(url);
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...['WhatsApp', 'Facebook', 'X', 'More'],
    ]);
    expect(dialog.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
      'href',
      `https://wa.me/?text=${encodeURIComponent(url)}`,
    );
    await user.click(dialog.getByRole('radio', { name: 'Mint' }));
    await user.click(dialog.getByRole('button', { name: 'Post a story' }));
    await waitFor(() => {
      expect(shared).toEqual(['/story/noura.png?ask=99&ground=mint', 'najwa-99.png']);
    });
    expect(api.callsTo('POST /prompts').map(({ body }) => body)).toEqual([{ content: question }]);
    // The page's own code would lead to the page without the question.
    expect(dialog.queryByRole('img', { name: 'QR code of your page' })).toBeNull();
  });

  test('a question that finds no place among ten says so, and leads to them', async () => {
    const { user } = await openPage({
      language: 'ar',
      answers: { 'POST /prompts': { status: 409, body: { code: 'prompts_full', message: 'Full.' } } },
    });
    const [first] = await questions();
    expect(first).toHaveTextContent(/؟$/);
    await user.click(first!);
    const alert = within(await screen.findByRole('alert'));
    await user.click(alert.getByRole('link', { name: 'أسئلتك' }));
    expect(await screen.findByText('the questions')).toBeVisible();
  });

  test('the share sheet asks the question of the day also later', async () => {
    const { user, api } = await openPage({ received: 3 });
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Share your page' }));
    expect(sheet.getByText('Question of the day')).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'Ask it' }));
    const asked = await screen.findByText('Your question is a page now. Here is its picture, and here its link.');
    expect(asked).toBeVisible();
    const [call] = api.callsTo('POST /prompts');
    expect(screen.getByRole('dialog', { name: (call?.body as { content: string }).content })).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog', { name: 'Share your page' })).toBeVisible();
  });
});
