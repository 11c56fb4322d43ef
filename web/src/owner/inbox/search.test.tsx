import { expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildReply, buildSentMessage } from '../../test/factories.js';
import { card, openInbox, shownIds } from '../../test/open-inbox.js';

const box = () => ({
  inbox: [
    buildMessage({ id: 5, content: 'صـورةٌ على البَحْر' }),
    buildMessage({ id: 6, content: 'سؤال', reply: buildReply('صورتي عند البحر') }),
    buildMessage({ id: 7, content: 'رسالة أخرى' }),
  ],
  sent: [buildSentMessage({ id: 3, content: 'هل الصورة من بحر جدة؟' })],
  others: 8,
});

test('a search finds messages and replies with all words, and highlights them', async () => {
  const { user } = await openInbox(box(), { language: 'ar' });
  await card(7);
  await user.type(screen.getByRole('searchbox', { name: 'ابحث في رسائلك' }), 'بحر صور');
  await waitFor(() => {
    expect(shownIds()).toEqual(['6', '5', '3']);
  });
  expect(screen.getByRole('status')).toHaveTextContent('٣ رسائل فيها «\u2068بحر صور\u2069»، في رسائلك كلها.');
  expect(screen.queryByRole('radio')).toBeNull();
  const marked = (await card(5)).getAllByText((_, element) => element?.tagName === 'MARK');
  expect(marked.map(({ textContent }) => textContent)).toEqual(['صـورةٌ', 'البَحْر']);
  expect(within((await card(6)).getByTestId('reply')).getByText('البحر').tagName).toBe('MARK');
});

test('an empty search says so, and returns to the list with the focus in the field', async () => {
  const { user, api } = await openInbox(box());
  await card(7);
  const field = screen.getByRole('searchbox', { name: 'Search your messages' });
  // Both at once: on a busy machine keys come so slowly that a part of the word is searched.
  for (const value of ['abs', 'absent']) fireEvent.change(field, { target: { value } });
  expect(await screen.findByText('No message with “\u2068absent\u2069”')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => {
    expect(shownIds()).toEqual(['7', '6', '5', '3']);
  });
  expect(field).toHaveFocus();
  const asked = api.callsTo('GET /messages').map(({ query }) => query.get('q'));
  expect([...new Set(asked)]).toEqual([null, 'absent']);
});

test('a search takes the first eight words of a pasted text', async () => {
  const { user, api } = await openInbox(box());
  await card(7);
  await user.click(screen.getByRole('searchbox', { name: 'Search your messages' }));
  await user.paste('one two three four five six seven eight nine ten');
  expect(
    await screen.findByText('No message with “\u2068one two three four five six seven eight\u2069”'),
  ).toBeVisible();
  expect(api.callsTo('GET /messages').at(-1)?.query.get('q')).toBe('one two three four five six seven eight');
});
