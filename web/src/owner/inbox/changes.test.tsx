import { describe, expect, jest, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { buildMessage, buildUser } from '../../test/factories.js';
import { card, mailbox, openInbox, shownIds, undo } from '../../test/open-inbox.js';
import type { Answer } from '../../test/server.js';

/** A request that is answered when the test calls `release()`. */
function slowly(answer: Answer) {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    handler: async () => {
      await released;
      return answer;
    },
    release: () => {
      release();
    },
  };
}

describe('optimistic changes', () => {
  test('a change shows before the answer, and other actions are disabled meanwhile', async () => {
    const answer = slowly({ body: buildMessage({ id: 5, isPublic: true, isRead: true }) });
    const { user } = await openInbox(
      { inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })] },
      { answers: { 'PATCH /messages/5': answer.handler } },
    );
    await user.click((await card(5)).getByRole('button', { name: 'Publish' }));
    expect(await (await card(5)).findByText('Public')).toBeVisible();
    expect(screen.queryByTestId('toast')).toBeNull();
    for (const id of [5, 6]) {
      expect((await card(id)).getByRole('button', { name: 'Reply' })).toBeDisabled();
      expect((await card(id)).getByRole('button', { name: 'Delete' })).toBeDisabled();
    }
    answer.release();
    expect(await screen.findByText('Message updated successfully')).toBeVisible();
    expect((await card(6)).getByRole('button', { name: 'Reply' })).toBeEnabled();
  });

  test('counts update at once and revert after an error', async () => {
    const answer = slowly({ status: 403, body: { message: 'No.', code: 'not_allowed' } });
    const { user } = await openInbox(
      { inbox: [buildMessage({ id: 5 })] },
      { answers: { 'PATCH /messages/5': answer.handler }, language: 'ar' },
    );
    await screen.findByRole('radio', { name: 'غير المقروءة ١' });
    await user.click((await card(5)).getByRole('button', { name: 'مقروءة' }));
    expect(await screen.findByRole('radio', { name: 'غير المقروءة' })).toBeInTheDocument();
    expect((await card(5)).queryByText('جديدة')).toBeNull();
    answer.release();
    expect(await screen.findByText(/^فشل تحديث الرسالة: ٤٠٣: هذا الإجراء غير متاح لك\.$/)).toBeVisible();
    expect(await screen.findByRole('radio', { name: 'غير المقروءة ١' })).toBeInTheDocument();
    expect((await card(5)).getByText('جديدة')).toBeVisible();
  });

  test('a read message leaves the unread list, and returns in place after an error', async () => {
    const answer = slowly({ status: 403, body: { message: 'No.', code: 'not_allowed' } });
    const { user } = await openInbox(
      { inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 }), buildMessage({ id: 7 })] },
      { answers: { 'PATCH /messages/6': answer.handler } },
    );
    await user.click(await screen.findByRole('radio', { name: 'Unread 3' }));
    await user.click((await card(6)).getByRole('button', { name: 'Read' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['7', '5']);
    });
    answer.release();
    await waitFor(() => {
      expect(shownIds()).toEqual(['7', '6', '5']);
    });
  });

  test('a deleted message leaves at once, and returns after an error with the dialog open', async () => {
    const answer = slowly({ status: 403, body: { message: 'No.', code: 'not_allowed' } });
    const { user } = await openInbox(
      { inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })] },
      { answers: { 'POST /messages/bulk': answer.handler }, language: 'ar' },
    );
    await user.click((await card(5)).getByRole('button', { name: 'احذفها' }));
    await user.click(await screen.findByRole('button', { name: 'تأكيد الحذف' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['6']);
    });
    expect(screen.getByText('جارٍ الحذف')).toBeVisible();
    answer.release();
    expect(await screen.findByText(/^فشل حذف الرسالة: ٤٠٣: هذا الإجراء غير متاح لك\.$/)).toBeVisible();
    expect(shownIds()).toEqual(['6', '5']);
    expect(screen.getByRole('alertdialog')).toBeVisible();
  });

  test('a single deletion can be undone, also after a reload', async () => {
    const box = { inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })], sent: [] };
    const answers = mailbox(box);
    const { user } = await openInbox(box, { answers });
    await user.click((await card(6)).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Message deleted successfully')).toBeVisible();
    cleanup();
    await openInbox(box, { answers });
    expect(await screen.findByText('Message deleted successfully')).toBeVisible();
    await card(5);
    expect(shownIds()).toEqual(['5']);
    await undo();
    await waitFor(() => {
      expect(shownIds()).toEqual(['6', '5']);
    });
  });

  test('another account in the same tab is offered no undo', async () => {
    const box = { inbox: [buildMessage({ id: 5 })] };
    const { user } = await openInbox(box);
    await user.click((await card(5)).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Message deleted successfully')).toBeVisible();
    cleanup();
    await openInbox({ inbox: [buildMessage({ id: 7 })] }, { owner: buildUser({ id: 2 }) });
    await card(7);
    expect(screen.queryByText('Message deleted successfully')).toBeNull();
  });

  test.each([
    ['ahead', -1],
    ['behind', 1],
  ])('takes a deletion back on a device whose clock is %s', async (_name, sign) => {
    const box = { inbox: [buildMessage({ id: 5 })], sent: [] };
    // By the server's clock, which leaves less time than usual.
    const now = Date.now() + sign * 60 * 60 * 1000;
    const body = { done: [5], undoToken: 'token', undoUntil: new Date(now + 6_000).toISOString() };
    const { user } = await openInbox(box, {
      answers: { 'POST /messages/bulk': { body, headers: { date: new Date(now).toUTCString() } } },
    });
    await user.click((await card(5)).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText(/^[567] seconds left$/)).toBeVisible();
  });

  test('a deletion can be undone where the browser refuses storage', async () => {
    const refused = () => {
      throw new DOMException('Refused.', 'SecurityError');
    };
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refused);
    jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(refused);
    const box = { inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })], sent: [] };
    const { user } = await openInbox(box);
    await user.click((await card(6)).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Message deleted successfully')).toBeVisible();
    await undo();
    await waitFor(() => {
      expect(shownIds()).toEqual(['6', '5']);
    });
  });

  test('changes keep the keyboard focus in place', async () => {
    const { user } = await openInbox({ inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })] });
    (await card(6)).getByRole('button', { name: 'Publish' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => {
      expect((await card(6)).getByRole('button', { name: 'Unpublish' })).toHaveFocus();
    });
    (await card(6)).getByRole('button', { name: 'Read' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => {
      expect((await card(6)).getByText('message 6').closest('summary')).toHaveFocus();
    });
    (await card(6)).getByRole('button', { name: 'Delete' }).focus();
    await user.keyboard('{Enter}');
    (await screen.findByRole('button', { name: 'Confirm delete' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => {
      expect((await card(5)).getByText('message 5').closest('summary')).toHaveFocus();
    });
  });
});
