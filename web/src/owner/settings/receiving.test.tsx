import { describe, expect, test } from '@jest/globals';
import { RECEIVING_DEFAULTS } from '@najwa/proto/http/client';
import { screen, waitFor, within } from '@testing-library/react';
import { renderElement } from '../../test/render.js';
import { startApi } from '../../test/server.js';
import { ReceivingSettings } from './ReceivingSettings.js';

const settings = { ...RECEIVING_DEFAULTS };

async function openReceiving(language: 'en' | 'ar' = 'en') {
  const api = await startApi({
    'GET /users/receiving': { body: settings },
    'PATCH /users/receiving': { body: { ...settings, from: 'established', minimumDays: 30 } },
  });
  const view = renderElement(<ReceivingSettings />, { apiRoot: api.apiRoot, language });
  await screen.findAllByRole('radio');
  return { api, ...view };
}

describe('receiving rules', () => {
  test('a receiving rule is saved with the age and the word', async () => {
    const { user, api } = await openReceiving('ar');
    await user.click(screen.getByRole('radio', { name: /من مضى على حسابه زمن/ }));
    await user.click(within(screen.getByRole('radiogroup', { name: 'أقلّ عمر' })).getByRole('radio', { name: /^٣٠ / }));
    await user.type(screen.getByLabelText(/كلمة منك/), 'أعود قريبًا');
    await user.click(screen.getByRole('button', { name: 'احفظ التغييرات' }));
    expect(await screen.findByText('تم حفظ التغييرات')).toBeVisible();
    expect(api.callsTo('PATCH /users/receiving')[0]?.body).toEqual({
      from: 'established',
      minimumDays: 30,
      notice: 'أعود قريبًا',
    });
  });

  test('a receiving rule has one of a few ages, and a short word', async () => {
    const { user, api } = await openReceiving();
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(api.callsTo('PATCH /users/receiving')).toEqual([]);
    await user.click(screen.getByRole('radio', { name: /Accounts of some age/ }));
    const ages = within(screen.getByRole('radiogroup', { name: 'At least' })).getAllByRole('radio');
    expect(ages.map(({ textContent }) => textContent)).toEqual(['1 day', '7 days', '30 days', '90 days', '365 days']);
    expect(ages[1]).toBeChecked();
    await user.type(screen.getByLabelText(/A word from you/), 'x'.repeat(141));
    expect(screen.getByText('141 of 140 characters. Shorten it a little.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  });
});

test('a page that was paused elsewhere stays paused when the notice is saved here', async () => {
  let stored: object = settings;
  const api = await startApi({
    'GET /users/receiving': () => ({ body: stored }),
    'PATCH /users/receiving': ({ body }) => {
      stored = { ...stored, ...(body as object) };
      return { body: stored };
    },
  });
  const { user } = renderElement(<ReceivingSettings />, { apiRoot: api.apiRoot });
  await user.type(await screen.findByLabelText(/A word from you/), 'Soon');
  stored = { ...settings, from: 'nobody' };
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Changes saved')).toBeVisible();
  expect(api.callsTo('PATCH /users/receiving').map(({ body }) => body)).toEqual([{ notice: 'Soon' }]);
  expect(screen.getByRole('radio', { name: /Nobody for now/ })).toBeChecked();

  await user.click(screen.getByRole('radio', { name: /Accounts of some age/ }));
  stored = { ...settings, from: 'everyone', notice: 'From my phone' };
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => {
    expect(screen.getByLabelText(/A word from you/)).toHaveValue('From my phone');
  });
  expect(screen.getByRole('radio', { name: /Accounts of some age/ })).toBeChecked();
});

test('presence is hidden at once', async () => {
  const { user, api } = await openReceiving();
  await user.click(screen.getByRole('switch', { name: 'Show when you were here' }));
  await waitFor(() => {
    expect(api.callsTo('PATCH /users/receiving')[0]?.body).toEqual({ presence: 'hidden' });
  });
});

test('senders write again after an answer, unless that is turned off', async () => {
  const { user, api } = await openReceiving('ar');
  const mayFollow = screen.getByRole('switch', { name: 'يكتب لي المرسل مرة أخرى بعد ردّي' });
  expect(mayFollow).toBeChecked();
  await user.click(mayFollow);
  await waitFor(() => {
    expect(api.callsTo('PATCH /users/receiving')[0]?.body).toEqual({ conversations: false });
  });
});

describe('filters and blocks', () => {
  async function openSafety() {
    const block = { id: 4, messageId: 9, excerpt: 'why no answer', createdAt: '2026-11-14T10:00:00.000Z' };
    let blocks = [block, { ...block, id: 5, excerpt: '' }];
    const api = await startApi({
      'GET /users/receiving': { body: settings },
      'GET /filters': { body: { words: ['gift'], lists: [] } },
      'PATCH /filters': { body: { words: ['gift', 'from my phone', 'weight'], lists: [], setAside: 4 } },
      'GET /blocks': () => ({ body: blocks }),
      'DELETE /blocks/4': () => {
        blocks = blocks.filter(({ id }) => id !== 4);
        return { status: 204 };
      },
    });
    const view = renderElement(<ReceivingSettings />, { apiRoot: api.apiRoot });
    await screen.findByText('gift');
    return { api, ...view };
  }

  test('a word is added, and says how many messages were set aside', async () => {
    const { user, api } = await openSafety();
    await user.type(screen.getByPlaceholderText('A word or phrase'), 'x');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(screen.getByText('A word has 2 to 50 characters.')).toBeVisible();
    await user.clear(screen.getByPlaceholderText('A word or phrase'));
    await user.type(screen.getByPlaceholderText('A word or phrase'), ' weight ');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('4 messages you have were set aside.')).toBeVisible();
    expect(api.callsTo('PATCH /filters').map(({ body }) => body)).toEqual([{ words: { add: ['weight'] } }]);
    expect(screen.getByText('from my phone')).toBeVisible();
  });

  test('a word and a list are removed without sending the others', async () => {
    const { user, api } = await openSafety();
    await user.click(screen.getByRole('button', { name: /^Remove .*gift/ }));
    const list = screen.getByRole('switch', { name: 'List of scams' });
    await waitFor(() => {
      expect(api.callsTo('PATCH /filters')).toHaveLength(1);
      expect(list).toBeEnabled();
    });
    await user.click(list);
    await waitFor(() => {
      expect(api.callsTo('PATCH /filters').map(({ body }) => body)).toEqual([
        { words: { remove: ['gift'] } },
        { lists: { add: ['scams'] } },
      ]);
    });
  });

  test.each(['weight, diet', 'weight،diet', 'weight ; diet', 'weight\ndiet\n'])(
    'the words of a pasted list are words of their own: %j',
    async (pasted) => {
      const { user, api } = await openSafety();
      await user.click(screen.getByPlaceholderText('A word or phrase'));
      await user.paste(pasted);
      await user.click(screen.getByRole('button', { name: 'Add' }));
      await waitFor(() => {
        expect(api.callsTo('PATCH /filters').map(({ body }) => body)).toEqual([{ words: { add: ['weight', 'diet'] } }]);
      });
    },
  );

  test('a block is lifted, and says nothing about the sender', async () => {
    const { user } = await openSafety();
    const [first, second] = await screen.findAllByTestId('block');
    expect([first?.textContent, second?.textContent]).toEqual([
      'why no answerBlocked 14 November 2026Unblock',
      'Voice messageBlocked 14 November 2026Unblock',
    ]);
    await user.click(within(first ?? document.body).getByRole('button', { name: 'Unblock' }));
    expect(await screen.findByText('Unblocked')).toBeVisible();
    await waitFor(() => {
      expect(screen.getAllByTestId('block')).toHaveLength(1);
    });
  });
});
