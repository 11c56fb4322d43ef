import { expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { openAdmin, row } from '../../test/open-admin.js';
import type { ReportedMessage } from './types.js';

const report: ReportedMessage = {
  id: 7,
  message: {
    content: 'a hurtful message',
    isPublic: false,
    imageUrl: null,
    audioUrl: null,
    audioDuration: null,
    audioPeaks: null,
    createdAt: '2026-11-20T10:00:00.000Z',
  },
  reasons: ['threat'],
  reasonCounts: { threat: 1 },
  comments: [],
  reports: 1,
  senderReportedBefore: 'none',
  senderActions: {},
  createdAt: '2026-11-20T11:00:00.000Z',
  status: 'open',
  assignedTo: null,
  actions: [],
};

test('a reason stays while the decision has no answer, and days may be in Arabic digits', async () => {
  let isDown = true;
  const { api, user } = await openAdmin({
    path: '/admin?tab=reports',
    answers: {
      'GET /admin/reports': { body: [report], headers: { 'x-total-count': '1' } },
      'GET /admin/reports/counts': { body: { open: 1, mine: 0, closed: 0 } },
      'POST /admin/reports/7/open': { body: report },
      'POST /admin/reports/7/actions': () =>
        isDown
          ? { status: 503, body: { message: 'Away.', code: 'unavailable' }, headers: { 'retry-after': '60' } }
          : { status: 201, body: { id: 1 } },
    },
  });
  await user.click(await row(0));
  await user.click(await screen.findByRole('button', { name: 'Suspend the account' }));
  const dialog = within(await screen.findByRole('dialog'));
  const days = dialog.getByLabelText('Days');
  await user.clear(days);
  await user.type(days, '١٢');
  await user.type(dialog.getByLabelText('Reason'), 'a clear reason');
  const submit = () => dialog.getByRole('button', { name: 'Suspend the account' });
  await user.click(submit());
  expect(await screen.findByTestId('toast')).toBeVisible();
  expect(dialog.getByLabelText('Reason')).toHaveValue('a clear reason');
  isDown = false;
  await user.click(submit());
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  expect(api.callsTo('POST /admin/reports/7/actions').at(-1)?.body).toEqual({
    action: 'suspend',
    reason: 'a clear reason',
    days: 12,
  });
});

test('a reason stays while another moderator closes the report', async () => {
  let isClosed = false;
  const { user } = await openAdmin({
    path: '/admin?tab=reports',
    answers: {
      'GET /admin/reports': () => ({
        body: isClosed ? [] : [report],
        headers: { 'x-total-count': isClosed ? '0' : '1' },
      }),
      'GET /admin/reports/counts': () => ({ body: { open: isClosed ? 0 : 1, mine: 0, closed: isClosed ? 1 : 0 } }),
      'POST /admin/reports/7/open': () => ({ body: { ...report, status: isClosed ? 'closed' : 'open' } }),
    },
  });
  await user.click(await row(0));
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await user.type(within(await screen.findByRole('dialog')).getByLabelText('Reason'), 'a clear reason');
  isClosed = true;
  // Returning to the window refetches everything.
  act(() => {
    window.dispatchEvent(new Event('focus'));
  });
  expect(await within(screen.getByTestId('detail')).findByText('Closed')).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveValue('a clear reason');
});

test('an account can be suspended while no suspension of it is in force', async () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const suspended = (daysAgo: number) => ({
    id: daysAgo,
    reportId: 7,
    action: 'suspend' as const,
    reason: 'a threat',
    days: 5,
    by: 'noura',
    createdAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    undone: null,
  });
  const undone = { by: 'salem', reason: 'was a joke', createdAt: new Date().toISOString() };
  const reports = [
    { ...report, actions: [{ ...suspended(1), undone }, suspended(6)] },
    { ...report, id: 8, actions: [suspended(1)] },
  ];
  const { user } = await openAdmin({
    path: '/admin?tab=reports',
    answers: {
      'GET /admin/reports': { body: reports, headers: { 'x-total-count': '2' } },
      'POST /admin/reports/7/open': { body: reports[0] },
      'POST /admin/reports/8/open': { body: reports[1] },
    },
  });
  await user.click(await row(0));
  expect(await screen.findByRole('button', { name: 'Suspend the account' })).toBeVisible();
  await user.click(await row(1));
  await waitFor(() => {
    expect(screen.queryByRole('button', { name: 'Suspend the account' })).toBeNull();
  });
  expect(screen.getByRole('button', { name: 'Block everywhere' })).toBeVisible();
});

test('a reason written in the other direction changes nothing around it', async () => {
  const undone = { by: 'salem', reason: 'was a joke', createdAt: '2026-11-21T10:00:00.000Z' };
  const action = {
    id: 1,
    reportId: 7,
    action: 'remove',
    reason: 'سبب',
    days: null,
    by: 'noura',
    createdAt: '2026-11-20T12:00:00.000Z',
    undone,
  } as const;
  const { user } = await openAdmin({
    language: 'ar',
    path: '/admin?tab=reports',
    answers: {
      'GET /admin/reports': { body: [{ ...report, actions: [action] }], headers: { 'x-total-count': '1' } },
      'GET /admin/actions': { body: [action] },
    },
  });
  await user.click(await row(0));
  expect(await screen.findByText('ألغاه \u2066@salem\u2069: «\u2068was a joke\u2069»')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'السجلّ' }));
  expect(await screen.findByText(/^ألغاه \u2066@salem\u2069 في .*: «\u2068was a joke\u2069»$/)).toBeVisible();
});
