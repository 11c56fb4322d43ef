import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBed, startTestBed, type Bed } from '@najwa/testing';
import { newAdmin, readAudit, visitor } from './admin-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

const create = (body: unknown, options: { headers?: Record<string, string>; ip?: string } = {}) =>
  bed.call('admin', 'POST', '/api/admin/create', {
    body,
    identity: { ...visitor, ...(options.ip && { ip: options.ip }) },
    headers: options.headers ?? {},
  });

test('accepts the previous secret as well, while it is set', async () => {
  const rotated = await startTestBed({
    services: ['auth', 'admin'],
    env: { ADMIN_SECRET: 'the newest secret', ADMIN_SECRET_PREVIOUS: 'the previous secret', RATE_LIMIT_SCALE: '0' },
  });
  try {
    const statusWith = async (adminSecret: string): Promise<number> =>
      (
        await rotated.call('admin', 'POST', '/api/admin/create', {
          body: newAdmin(rotated, { adminSecret }),
          identity: visitor,
        })
      ).status;
    expect(await statusWith('the newest secret')).toBe(201);
    expect(await statusWith('the previous secret')).toBe(201);
    expect(await statusWith('an older secret')).toBe(403);
  } finally {
    await rotated.stop();
  }
});

describe('with the secret', () => {
  test('creates a verified administrator who can sign in', async () => {
    const body = newAdmin(bed, { email: ' Salem@Example.TEST ' });
    const answer = await create(body);
    expect(answer).toMatchObject({
      status: 201,
      body: { username: body.username, name: 'سالم', email: 'salem@example.test', isAdmin: true, isVerified: true },
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    const login = await bed.call('auth', 'POST', '/api/login', {
      body: { username: body.username, password: body.password },
    });
    expect(login).toMatchObject({
      status: 200,
      body: { email: 'salem@example.test', isAdmin: true, isVerified: true },
    });
  });

  test('verifies the account only on request', async () => {
    expect(await create(newAdmin(bed, { createVerified: false }))).toMatchObject({
      status: 201,
      body: { isAdmin: true, isVerified: false },
    });
  });

  test('creates one account from a repeated submission', async () => {
    const [body, headers] = [newAdmin(bed), { 'idempotency-key': randomUUID() }];
    const answers = await Promise.all([1, 2, 3].map(() => create(body, { headers })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => (answer.body as { id: number }).id)).size).toBe(1);
    expect(await create({ ...body, password: 'another' }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
  });

  test('refuses a taken or reserved username, and does not reveal that an e-mail address is in use', async () => {
    const body = newAdmin(bed);
    await create(body);
    expect(await create(newAdmin(bed, { username: body.username.toUpperCase() }))).toMatchObject({
      status: 409,
      body: { code: 'username_taken' },
    });
    expect(await create(newAdmin(bed, { email: body.email }))).toMatchObject({
      status: 201,
      body: { email: body.email },
    });
    expect(await create(newAdmin(bed, { username: 'admin' }))).toMatchObject({
      status: 422,
      body: { code: 'username_reserved' },
    });
  });
});

test.each([
  [{ username: 'ab' }, { username: 'too_short' }],
  [{ username: 'نورة' }, { username: 'forbidden_characters' }],
  [{ username: '...' }, { username: 'forbidden_characters' }],
  [{ password: '12345' }, { password: 'too_short' }],
  [{ name: ' ' }, { name: 'required' }],
  [{ email: 'nobody' }, { email: 'not_an_email' }],
  [{ adminSecret: '' }, { adminSecret: 'required' }],
  [{ createVerified: 'yes' }, { createVerified: 'not_a_choice' }],
  [{ isAdmin: true }, { isAdmin: 'unknown_field' }],
])('refuses %j', async (changes, fields) => {
  expect(await create(newAdmin(bed, changes))).toMatchObject({ status: 422, body: { code: 'invalid_input', fields } });
});

describe('the audit log', () => {
  // Threat model: admin-6.
  test('records successes and attempts without the secret and the password', async () => {
    const [made, guessed] = [newAdmin(bed), newAdmin(bed, { adminSecret: 'a wrong guess' })];
    await create(made, { ip: '203.0.113.1' });
    await create(guessed, { ip: '203.0.113.2' });
    const [refusal, creation] = await readAudit(bed);
    expect(creation).toMatchObject({
      userId: null,
      username: null,
      ipAddress: '203.0.113.1',
      action: 'administrator.create',
      outcome: 'done',
      details: { username: made.username, isVerified: true },
    });
    expect(refusal).toMatchObject({
      userId: null,
      ipAddress: '203.0.113.2',
      action: 'administrator.create',
      outcome: 'refused',
      details: { username: guessed.username, code: 'not_allowed' },
    });
    const log = JSON.stringify(await readAudit(bed));
    for (const secret of ['a wrong guess', String(made.adminSecret), '"password"']) expect(log).not.toContain(secret);
  });
});
