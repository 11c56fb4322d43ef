import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildMessage } from '../../test/factories.js';
import { card, openInbox } from '../../test/open-inbox.js';
import type { Call } from '../../test/server.js';
import type { Message } from '../../shared/message/index.js';

const tagOf = (order: number[]) => `"${order.join('-')}"`;

/** A mailbox with public messages, the first ones of them pinned. */
function box(count: number, pinned: number[] = []) {
  const inbox = Array.from({ length: count }, (_, index) =>
    buildMessage({ id: index + 1, isPublic: true, isRead: true, ...(pinned.includes(index + 1) && { pinned: true }) }),
  );
  const find = (ids: number[]): Message[] => ids.flatMap((id) => inbox.find((message) => message.id === id) ?? []);
  let order = pinned;
  return {
    inbox,
    answers: {
      'GET /messages/pinned': () => ({ body: find(order), headers: { etag: tagOf(order) } }),
      'PUT /messages/pinned': ({ body, headers }: Pick<Call, 'body' | 'headers'>) => {
        if (headers['if-match'] !== tagOf(order))
          return { status: 412, body: { message: 'Changed.', code: 'changed_elsewhere', current: find(order) } };
        order = (body as { ids: number[] }).ids;
        for (const message of inbox) {
          if (order.includes(message.id)) message.pinned = true;
          else delete message.pinned;
        }
        return { body: find(order), headers: { etag: tagOf(order) } };
      },
    },
    /** Pins from another device. */
    pinElsewhere: (ids: number[]) => {
      order = ids;
    },
  };
}

const openMenu = async (
  user: Awaited<ReturnType<typeof openInbox>>['user'],
  id: number,
  name = 'More for this message',
) => user.click((await card(id)).getByRole('button', { name }));

test('only a public message can be shared as a picture', async () => {
  const { inbox, answers } = box(1);
  inbox.push(buildMessage({ id: 3 }));
  const { user, share } = await openInbox({ inbox }, { answers });
  await openMenu(user, 3);
  expect(screen.queryByRole('menuitem', { name: 'Story picture' })).toBeNull();
  await user.keyboard('{Escape}');
  await openMenu(user, 1);
  await user.click(screen.getByRole('menuitem', { name: 'Story picture' }));
  expect(share).toHaveBeenCalledWith(expect.objectContaining({ id: 1 }));
});

test('a public message is pinned, and unpinned when unpublished', async () => {
  const { inbox, answers } = box(2);
  inbox.push(buildMessage({ id: 3 }));
  const { user, api } = await openInbox({ inbox }, { answers });
  await openMenu(user, 3);
  expect(screen.getByRole('menuitem', { name: /^Pin to the top/ })).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Escape}');
  await openMenu(user, 2);
  await user.click(screen.getByRole('menuitem', { name: 'Pin to the top of your page' }));
  expect(await (await card(2)).findByText('Pinned')).toBeVisible();
  expect(api.callsTo('PUT /messages/pinned').map(({ body }) => body)).toEqual([{ ids: [2] }]);
  await user.click((await card(2)).getByRole('button', { name: 'Unpublish' }));
  await waitFor(async () => {
    expect((await card(2)).queryByText('Pinned')).toBeNull();
  });
});

test('pinned messages are ordered by keyboard', async () => {
  const { inbox, answers } = box(3, [1, 2, 3]);
  const { user, api } = await openInbox({ inbox }, { answers });
  await openMenu(user, 2);
  await user.click(screen.getByRole('menuitem', { name: 'Pinned messages' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pinned messages' }));
  const texts = () => dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
  const button = (place: number, name: string) =>
    within(dialog.getAllByRole('listitem')[place]!).getByRole('button', { name });
  expect(texts()).toEqual(['1message 1', '2message 2', '3message 3']);
  button(1, 'Move up').focus();
  await user.keyboard(' ');
  expect(texts()).toEqual(['1message 2', '2message 1', '3message 3']);
  // The button itself is disabled in the first row.
  expect(button(0, 'Move down')).toHaveFocus();
  button(2, 'Unpin').focus();
  await user.keyboard('{Enter}');
  expect(button(1, 'Unpin')).toHaveFocus();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  expect(api.callsTo('PUT /messages/pinned').map(({ body }) => body)).toEqual([{ ids: [2, 1] }]);
  await waitFor(async () => {
    expect((await card(3)).queryByText('Pinned')).toBeNull();
  });
});

test('a fourth message waits until another one is unpinned', async () => {
  const { inbox, answers } = box(4, [1, 2, 3]);
  const { user, api } = await openInbox({ inbox }, { answers, language: 'ar' });
  await openMenu(user, 4, 'المزيد لهذه الرسالة');
  await user.click(screen.getByRole('menuitem', { name: 'ثبّتها في أول صفحتك' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'الرسائل المثبّتة' }));
  expect(dialog.getByText('عندك ٣ رسائل مثبّتة')).toBeVisible();
  const [unpin] = dialog.getAllByRole('button', { name: 'ألغِ تثبيتها' });
  await user.click(unpin!);
  expect(dialog.queryByText('عندك ٣ رسائل مثبّتة')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'تمّ' }));
  expect(await (await card(4)).findByText('مثبّتة')).toBeVisible();
  expect(api.callsTo('PUT /messages/pinned').map(({ body }) => body)).toEqual([{ ids: [2, 3, 4] }]);
});

test('a pin of another device stays', async () => {
  const { inbox, answers, pinElsewhere } = box(4, [1]);
  const { 'PUT /messages/pinned': put } = answers;
  let isFirst = true;
  const { user, api } = await openInbox(
    { inbox },
    {
      answers: {
        ...answers,
        'PUT /messages/pinned': (call: Call) => {
          if (isFirst) pinElsewhere([1, 3]);
          isFirst = false;
          return put(call);
        },
      },
    },
  );
  await openMenu(user, 2);
  await user.click(screen.getByRole('menuitem', { name: 'Pin to the top of your page' }));
  expect(await (await card(3)).findByText('Pinned')).toBeVisible();
  expect(api.callsTo('PUT /messages/pinned').map(({ body }) => body)).toEqual([{ ids: [1, 2] }, { ids: [1, 3, 2] }]);
});

test('an order changed by another device is shown before it is replaced', async () => {
  const { inbox, answers, pinElsewhere } = box(3, [1, 2]);
  const { user } = await openInbox({ inbox }, { answers });
  await openMenu(user, 2);
  await user.click(screen.getByRole('menuitem', { name: 'Pinned messages' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pinned messages' }));
  await user.click(dialog.getAllByRole('button', { name: 'Move up' })[1]!);
  pinElsewhere([1, 2, 3]);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText(/This was changed elsewhere/)).toBeVisible();
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1message 1',
    '2message 2',
    '3message 3',
  ]);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
