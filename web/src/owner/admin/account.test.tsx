import { describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildAuditEntry } from '../../test/factories.js';
import { openAdmin, pageOf, refused } from '../../test/open-admin.js';
import type { Answer, Answers } from '../../test/server.js';
import type { AuditEntry } from './types.js';

const VISITOR: Answers = { 'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } } };
const CREATED: Answer = {
  status: 201,
  body: { id: 3, username: 'hind', name: 'Hind Alsalem', email: 'hind@mail.example', isAdmin: true, isVerified: true },
};

const openCreate = (answers: Answers = {}) => openAdmin({ answers: { ...VISITOR, ...answers }, path: '/admin/create' });

async function fill(
  user: Awaited<ReturnType<typeof openCreate>>['user'],
  { password = 'six888', email = 'hind@mail.example' } = {},
) {
  await user.type(screen.getByLabelText('Developer secret'), 'the shared secret');
  await user.type(screen.getByLabelText('Full name'), ' Hind Alsalem ');
  await user.type(screen.getByLabelText('Username'), 'hind');
  await user.type(screen.getByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
}

const submit = async (user: Awaited<ReturnType<typeof openCreate>>['user']) =>
  user.click(screen.getByRole('button', { name: 'Create account' }));

describe('administrator form', () => {
  test('the administrator form creates a verified account and opens the sign-in page', async () => {
    const { user, api } = await openCreate({ 'POST /admin/create': CREATED });
    expect(screen.getByText('This page is protected.')).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Create verified account' })).toBeChecked();
    await fill(user);
    await submit(user);
    expect(await screen.findByText('sign-in page')).toBeVisible();
    expect(await screen.findByTestId('toast')).toHaveTextContent(/^Admin account created.*@hind.* can sign in now\.$/);
    const [call] = api.callsTo('POST /admin/create');
    expect(call?.body).toEqual({
      adminSecret: 'the shared secret',
      name: 'Hind Alsalem',
      username: 'hind',
      email: 'hind@mail.example',
      password: 'six888',
      createVerified: true,
      role: 'administrator',
    });
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('the administrator form creates an unverified account', async () => {
    const { user, api } = await openCreate({ 'POST /admin/create': CREATED });
    await fill(user);
    await user.click(screen.getByRole('checkbox', { name: 'Create verified account' }));
    await submit(user);
    await screen.findByText('sign-in page');
    expect(api.callsTo('POST /admin/create')[0]?.body).toMatchObject({ createVerified: false });
  });

  test('the administrator form keeps what is not secret until it is sent', async () => {
    const { user, unmount } = await openCreate();
    await fill(user);
    unmount();
    await openCreate({ 'POST /admin/create': CREATED });
    expect(screen.getByLabelText('Full name')).toHaveValue(' Hind Alsalem ');
    expect(screen.getByLabelText('Email')).toHaveValue('hind@mail.example');
    for (const label of ['Developer secret', 'Password']) expect(screen.getByLabelText(label)).toHaveValue('');
  });

  test('the administrator form requires every field and focuses the first one', async () => {
    const { user, api } = await openCreate();
    await submit(user);
    expect(await screen.findAllByText('This field is required')).toHaveLength(5);
    expect(screen.getByLabelText('Developer secret')).toHaveFocus();
    expect(api.callsTo('POST /admin/create')).toHaveLength(0);
  });

  test('the administrator form requires a password of six characters and a valid email address', async () => {
    const { user, api } = await openCreate({ 'POST /admin/create': CREATED });
    await fill(user, { password: '12345', email: 'hind' });
    await submit(user);
    expect(await screen.findByText('Field must be at least 6 characters')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Write an address like name@example.com');
    expect(api.callsTo('POST /admin/create')).toHaveLength(0);
    await user.type(screen.getByLabelText('Password'), '6');
    await user.type(screen.getByLabelText('Email'), '@mail.example');
    await submit(user);
    expect(await screen.findByText('sign-in page')).toBeVisible();
  });

  test('the administrator form shows the secret on demand', async () => {
    const { user } = await openCreate();
    expect(screen.getByLabelText('Developer secret')).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Developer secret')).toHaveAttribute('type', 'text');
  });

  test('a wrong secret is shown at its field, and the input stays', async () => {
    const { user } = await openCreate({ 'POST /admin/create': refused });
    await fill(user);
    await submit(user);
    const toast = await screen.findByTestId('toast');
    expect(toast).toHaveTextContent('Failed to create the admin accountThe developer secret is wrong.');
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    expect(screen.getByLabelText('Developer secret')).toHaveAccessibleDescription('The developer secret is wrong.');
    expect(screen.getByLabelText('Developer secret')).toHaveFocus();
    expect(screen.getByLabelText('Full name')).toHaveValue(' Hind Alsalem ');
  });

  test.each([
    [
      { status: 409, body: { message: 'Taken.', code: 'username_taken', fields: { username: 'taken' } } },
      /409.*: Username already exists/,
      'Username',
      'Username already exists',
    ],
  ])("shows the server's error: %j", async (answer, toast, field, fault) => {
    const { user } = await openCreate({ 'POST /admin/create': answer });
    await fill(user);
    await submit(user);
    expect(await screen.findByTestId('toast')).toHaveTextContent(toast);
    expect(screen.getByLabelText(field)).toHaveAccessibleDescription(fault);
  });

  test('the administrator form has a default text for an error without a body', async () => {
    const { user } = await openCreate({ 'POST /admin/create': { status: 400 } });
    await fill(user);
    await submit(user);
    expect(await screen.findByTestId('toast')).toHaveTextContent(
      'Failed to create the admin accountFailed to create admin account',
    );
  });

  test('the administrator form disables its button while the request is running', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user } = await openCreate({
      'POST /admin/create': async () => {
        await held;
        return CREATED;
      },
    });
    await fill(user);
    await submit(user);
    const busy = await screen.findByRole('button', { name: /Creating account/ });
    expect(busy).toHaveAttribute('aria-disabled', 'true');
    expect(busy).toHaveFocus();
    answer();
    expect(await screen.findByText('sign-in page')).toBeVisible();
  });
});

describe('access log', () => {
  const openLog = async (entries: AuditEntry[]) => {
    const opened = await openAdmin({
      answers: { 'GET /admin/audit': (call) => pageOf(entries, call) },
      path: '/admin?tab=account',
    });
    expect(opened.api.callsTo('GET /admin/audit')).toHaveLength(0);
    await opened.user.click(screen.getByRole('button', { name: 'Access log' }));
    return opened;
  };

  test('the access log shows who read what and when, once opened', async () => {
    await openLog([
      buildAuditEntry(5),
      buildAuditEntry(4, { details: { records: 1, newestId: 7, oldestId: 7, recipientId: 12, byText: true } }),
      buildAuditEntry(3, { action: 'conversations.list', details: { conversations: 0 } }),
      buildAuditEntry(2, {
        action: 'conversation.delete',
        details: { conversationId: 9, code: 'not_found' },
        outcome: 'refused',
        username: null,
      }),
      buildAuditEntry(1, {
        action: 'administrator.create',
        userId: null,
        username: null,
        ipAddress: null,
        details: { username: 'hind' },
        outcome: 'begun',
      }),
    ]);
    const entries = await screen.findAllByTestId('audit-entry');
    const when = String.raw`20 November 2026\s+\d+:\d\d\s[ap]m`;
    expect(entries.map(({ textContent }) => textContent.replace(/[\u2066\u2069]/g, ''))).toEqual([
      expect.stringMatching(
        new RegExp(`^Read tracking data@salem203\\.0\\.113\\.77${when}10 recordsRecords 2032 to 2041$`),
      ),
      expect.stringMatching(new RegExp(`${when}1 recordRecords 7 to 7Recipient no\\. 12Search by text$`)),
      expect.stringMatching(new RegExp(`^Read conversations@salem.*0 conversations$`)),
      expect.stringMatching(new RegExp(`^Delete a conversationRefusedDeleted account.*Conversation no\\. 9$`)),
      expect.stringMatching(new RegExp(`^Create an admin accountOutcome unknownVisitor${when}Account @hind$`)),
    ]);
  });

  test('the access log loads more pages', async () => {
    const { user } = await openLog(Array.from({ length: 11 }, (_, index) => buildAuditEntry(11 - index)));
    expect(await screen.findAllByTestId('audit-entry')).toHaveLength(10);
    await user.click(within(screen.getByTestId('audit')).getByRole('button', { name: 'Load more' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('audit-entry')).toHaveLength(11);
    });
  });
});
