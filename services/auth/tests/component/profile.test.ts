import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBed, type Bed, type CallerIdentity } from '@najwa/testing';
import { newAccount } from './account-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

async function photograph(file: string, type: string): Promise<string> {
  const content = await readFile(new URL(`../../../media/tests/samples/${file}`, import.meta.url));
  return `data:image/${type};base64,${content.toString('base64')}`;
}

const patch = (identity: CallerIdentity | undefined, body: unknown) =>
  bed.call('auth', 'PATCH', '/api/users', { body, ...(identity && { identity }) });
const current = async (identity: CallerIdentity) =>
  (await bed.call('auth', 'GET', '/api/user', { identity })).body as Record<string, unknown>;

describe('PATCH /api/users', () => {
  test('changes the profile and returns it', async () => {
    const { identity } = await newAccount(bed);
    const answer = await patch(identity, { name: ' ليان ', bio: 'سطر\nوسطر', gender: 'female' });
    expect([answer.status, answer.body]).toMatchObject([200, { name: 'ليان', bio: 'سطر\nوسطر', gender: 'female' }]);
    expect(await current(identity)).toEqual(answer.body);
  });

  test('a profile update changes only what is sent', async () => {
    const { identity } = await newAccount(bed);
    await patch(identity, { bio: '' });
    expect(await current(identity)).toMatchObject({ name: 'نورة العلي', bio: '' });
  });

  test('stores an e-mail address in lower case and can remove it', async () => {
    const { identity, username } = await newAccount(bed);
    expect((await patch(identity, { email: ` ${username}@Example.COM ` })).body).toMatchObject({
      email: `${username}@example.com`,
    });
    expect((await patch(identity, { email: null })).body).toMatchObject({ email: null });
  });

  // Threat model: visitor-1.
  test('does not reveal whether another account uses an e-mail address', async () => {
    const [first, second] = [await newAccount(bed), await newAccount(bed)];
    const [used, unused] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    expect((await patch(first.identity, { email: used })).status).toBe(200);
    const answers = [await patch(second.identity, { email: unused }), await patch(second.identity, { email: used })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual({ ...(answers[0]?.body as object), email: used });
  });

  // Threat model: visitor-1.
  test('never shows an e-mail address to others', async () => {
    const [owner, other] = [await newAccount(bed), await newAccount(bed)];
    const address = `${owner.username}@example.com`;
    await patch(owner.identity, { email: address });
    const admin = { ...other.identity, isAdmin: true };
    for (const identity of [undefined, other.identity, admin]) {
      const answer = await bed.call('auth', 'GET', `/api/users/${owner.username}`, identity && { identity });
      expect(JSON.stringify(answer.body)).not.toContain(address);
    }
    const byId = await bed.call('auth', 'GET', `/api/users/by-id/${owner.id}`, { identity: admin });
    expect([byId.status, JSON.stringify(byId.body)]).toEqual([200, expect.not.stringContaining(address)]);
  });

  test('accepts an avatar, serves it as a cacheable square, and removes the old one', async () => {
    const { identity, username } = await newAccount(bed);
    const first = (await patch(identity, { avatar: await photograph('photo-gps.jpg', 'jpeg') })).body as {
      avatar: string;
    };
    expect(first.avatar).toMatch(/^\/image\/[\w.-]+$/);
    expect((await bed.call('auth', 'GET', `/api/users/${username}`)).body).toMatchObject({ avatar: first.avatar });
    const shown = await bed.call('media', 'GET', `/api${first.avatar}`);
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'public, max-age=31536000, immutable',
    ]);

    const second = (await patch(identity, { name: 'ليان', avatar: await photograph('photo.png', 'png') })).body as {
      avatar: string;
    };
    expect(second.avatar).not.toBe(first.avatar);
    await bed.eventually(async () => expect((await bed.call('media', 'GET', `/api${first.avatar}`)).status).toBe(404));
    expect((await patch(identity, { bio: 'a', avatar: second.avatar })).body).toMatchObject({ avatar: second.avatar });
    expect((await patch(identity, { avatar: null })).body).toMatchObject({ avatar: null });
    await bed.eventually(async () => expect((await bed.call('media', 'GET', `/api${second.avatar}`)).status).toBe(404));
  });

  test('keeps one of several avatars that are stored at once', async () => {
    const { identity } = await newAccount(bed);
    const avatar = await photograph('photo-gps.jpg', 'jpeg');
    const answers = await Promise.all(Array.from({ length: 5 }, () => patch(identity, { avatar })));
    expect(new Set([200, 429, ...answers.map(({ status }) => status)])).toEqual(new Set([200, 429]));
    const stored = answers
      .filter(({ status }) => status === 200)
      .map(({ body }) => (body as { avatar: string }).avatar);
    const { avatar: kept } = (await current(identity)) as { avatar: string };
    expect(stored).toContain(kept);
    const statusOf = async (url: string) => (await bed.call('media', 'GET', `/api${url}`)).status;
    await bed.eventually(async () =>
      expect(await Promise.all(stored.map(statusOf))).toEqual(stored.map((url) => (url === kept ? 200 : 404))),
    );
  });

  test.each<[string, () => string | Promise<string>, number, string]>([
    ['a picture of more than 2 MB', () => photograph('large.jpg', 'jpeg'), 413, 'image_too_large'],
    ['text declared as a picture', () => photograph('text.jpg', 'jpeg'), 422, 'unsupported_image'],
    ['an SVG declared as a PNG', () => photograph('script.svg', 'png'), 422, 'unsupported_image'],
    ['an address elsewhere', () => 'https://example.test/avatar.png', 422, 'unsupported_image'],
  ])('refuses %s as an avatar and keeps the old one', async (_name, avatar, status, code) => {
    const { identity } = await newAccount(bed);
    const before = (await patch(identity, { avatar: await photograph('1x1.png', 'png') })).body as { avatar: string };
    expect(await patch(identity, { avatar: await avatar() })).toMatchObject({ status, body: { code } });
    expect(await current(identity)).toMatchObject({ avatar: before.avatar });
  });

  test.each<[string, unknown]>([
    ['an empty name', { name: ' ' }],
    ['a long bio', { bio: 'ن'.repeat(301) }],
    ['an unknown gender', { gender: 'other' }],
    ['an empty e-mail address', { email: '' }],
    ['no e-mail address', { email: 'nobody' }],
    ['two e-mail addresses', { email: 'a@example.com,b@example.com' }],
    ['an e-mail address of 300 characters', { email: `${'a'.repeat(290)}@example.com` }],
    ['isAdmin', { isAdmin: true }],
    ['another username', { username: 'somebody-else' }],
    ['nothing', {}],
    ['a list', []],
  ])('refuses a profile with %s and changes nothing', async (_name, body) => {
    const { identity } = await newAccount(bed);
    const before = await current(identity);
    expect(await patch(identity, body)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(await current(identity)).toEqual(before);
  });

  test('a visitor cannot change a profile', async () => {
    expect(await patch(undefined, { name: 'a' })).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe('GET /api/users/by-id/{id}', () => {
  const byId = (id: number | string, identity?: CallerIdentity) =>
    bed.call('auth', 'GET', `/api/users/by-id/${id}`, identity && { identity });

  test('shows administrators the same public fields by id as by name', async () => {
    const { id, username, identity } = await newAccount(bed);
    const byName = (await bed.call('auth', 'GET', `/api/users/${username}`)).body;
    expect((await byId(id, { ...identity, isAdmin: true })).body).toEqual(byName);
  });

  test('refuses to find accounts by id for others, with the same answer for existing and missing ones', async () => {
    const { id, identity } = await newAccount(bed);
    for (const asked of [id, 999_999]) {
      expect(await byId(asked)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
      expect(await byId(asked, identity)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    }
  });

  test('answers 404 for a missing account id and 422 for a malformed one', async () => {
    const admin = { ...(await newAccount(bed)).identity, isAdmin: true };
    expect(await byId(999_999, admin)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect((await byId('me', admin)).status).toBe(422);
  });
});

describe('PATCH /api/users/receiving', () => {
  const change = (identity: CallerIdentity, body: unknown) =>
    bed.call('messages', 'PATCH', '/api/users/receiving', { identity, body });

  test('a change of receiving settings keeps the rest of concurrent changes', async () => {
    const { identity, username } = await newAccount(bed);
    await Promise.all([
      change(identity, { from: 'established', minimumDays: 30 }),
      change(identity, { notice: ' أعود قريبًا ' }),
      change(identity, { readReceipts: false }),
    ]);
    const { body } = await bed.call('auth', 'GET', '/api/users/receiving', { identity });
    const settings = { from: 'established', minimumDays: 30, notice: 'أعود قريبًا' };
    expect(body).toEqual({ ...settings, presence: 'coarse', readReceipts: false, conversations: true });
    expect((await bed.call('auth', 'GET', `/api/users/${username}`)).body).toMatchObject({ receiving: settings });
  });

  // Threat model: owner-11.
  test('rounds the minimum age of senders up to one of a few steps', async () => {
    const { identity, username } = await newAccount(bed);
    for (const [asked, minimumDays] of [
      [1, 1],
      [2, 7],
      [8, 30],
      [31, 90],
      [91, 365],
    ]) {
      expect((await change(identity, { from: 'established', minimumDays: asked })).body).toMatchObject({ minimumDays });
      const { body } = await bed.call('auth', 'GET', `/api/users/${username}`);
      expect(body).toMatchObject({ receiving: { minimumDays } });
    }
  });

  test.each<[string, unknown, string]>([
    ['a choice that there is not', { from: 'friends' }, 'from'],
    ['an age below a day', { minimumDays: 0 }, 'minimumDays'],
    ['an age above a year', { minimumDays: 366 }, 'minimumDays'],
    ['an age that is no whole number', { minimumDays: 1.5 }, 'minimumDays'],
    ['a notice above 140 characters', { notice: 'ن'.repeat(141) }, 'notice'],
    ['a field of another call', { name: 'x' }, 'name'],
  ])('refuses receiving settings with %s', async (_what, body, field) => {
    const { identity } = await newAccount(bed);
    const answer = await change(identity, body);
    expect([answer.status, answer.body]).toMatchObject([422, { fields: { [field]: expect.any(String) } }]);
  });

  // Threat model: visitor-5.
  test('hidden presence shows to the account itself only', async () => {
    const { identity, username } = await newAccount(bed);
    const shown = async () => (await bed.call('auth', 'GET', `/api/users/${username}`)).body;
    expect(await shown()).toMatchObject({ isOnline: true });
    await change(identity, { presence: 'hidden' });
    expect(await shown()).toMatchObject({ isOnline: false, lastOnline: null });
    expect(await current(identity)).toMatchObject({ isOnline: true, lastOnline: expect.any(String) });
  });
});
