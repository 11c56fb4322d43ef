import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestBed } from '@najwa/dev-env';
import { administrator, newAdmin, readAudit, startAdminBed, user, visitor } from './admin-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startAdminBed();
});

afterAll(() => bed.stop());

/** Every call, and what an administrator gets. */
const CALLS = [
  ['GET', '/api/admin/sender-tracking', 200],
  ['GET', '/api/admin/chat-bot/messages', 200],
  ['DELETE', '/api/admin/chat-bot/messages', 200],
  ['DELETE', '/api/admin/chat-bot/messages/1', 404],
  ['GET', '/api/admin/audit', 200],
] as const;

test('no documented call of administrators is left out here', () => {
  const document = readFileSync(createRequire(import.meta.url).resolve('@najwa/proto/openapi.yaml'), 'utf8');
  const documented = [...document.matchAll(/^ {2}(\/api\/admin\/\S+):$/gm)].map(([, path]) => path);
  const called = new Set([...CALLS.map(([, path]) => path.replace(/\/1$/, '/{id}')), '/api/admin/create']);
  expect(new Set(documented)).toEqual(called);
});

describe.each(CALLS)('%s %s', (method, path, expected) => {
  test('refuses a visitor', async () => {
    expect(await bed.call('admin', method, path, { identity: visitor })).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
  });

  test('refuses a user', async () => {
    expect(await bed.call('admin', method, path, { identity: user })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
  });

  test('answers an administrator', async () => {
    expect((await bed.call('admin', method, path, { identity: administrator })).status).toBe(expected);
  });

  test('refuses whoever did not come through the gateway', async () => {
    expect((await fetch(`${bed.url('admin')}${path}`, { method })).status).toBe(401);
  });
});

test.each([
  ['a visitor', visitor],
  ['a user', user],
  ['an administrator', administrator],
])('%s who knows the secret makes an administrator', async (_who, identity) => {
  expect((await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(), identity })).status).toBe(201);
  expect(
    await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin({ adminSecret: 'a guess' }), identity }),
  ).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
});

test('who was refused for the role leaves no entry in the audit log', async () => {
  const before = (await readAudit(bed)).length;
  for (const [method, path] of CALLS) await bed.call('admin', method, path, { identity: user });
  expect((await readAudit(bed)).length).toBe(before);
});
