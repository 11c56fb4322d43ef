import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { administrator, readAudit, track } from './admin-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'tracking', 'admin'], env: { RATE_LIMIT_SCALE: '0' } });
  await track(bed, [
    { id: 1, userId: 11, content: 'أحبّ كتاباتك' },
    { id: 2, userId: 12, content: 'متى القصة القادمة؟' },
    { id: 3, userId: 11, content: 'Lovely' },
  ]);
});

afterAll(() => bed.stop());

const list = (query = '') =>
  bed.call('admin', 'GET', `/api/admin/sender-tracking${query}`, { identity: administrator });
const messageIds = (answer: { body: unknown }): number[] =>
  (answer.body as { messageId: number }[]).map(({ messageId }) => messageId);

test('the list is newest first, each record with its message', async () => {
  const answer = await list();
  expect(messageIds(answer)).toEqual([3, 2, 1]);
  expect((answer.body as unknown[])[0]).toEqual({
    id: expect.any(Number),
    messageId: 3,
    ipAddress: '192.0.2.4',
    userAgent: expect.stringContaining('Firefox'),
    browser: 'Firefox',
    operatingSystem: 'Windows',
    device: 'desktop',
    location: null,
    referrer: null,
    language: 'ar-SA',
    additionalData: { acceptedLanguages: ['ar-SA', 'en'] },
    createdAt: expect.any(String),
    message: { content: 'Lovely', isRead: false, isPublic: true, userId: 11 },
  });
});

test('pages are linked by the Link header', async () => {
  const first = await list('?limit=2');
  expect(messageIds(first)).toEqual([3, 2]);
  expect(first.headers.get('x-total-count')).toBe('3');
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await bed.call('admin', 'GET', next, { identity: administrator });
  expect(messageIds(second)).toEqual([1]);
  expect(second.headers.get('link')).toBeNull();
});

describe('a filter', () => {
  test('keeps one recipient, a text, or both', async () => {
    expect(messageIds(await list('?userId=11'))).toEqual([3, 1]);
    expect(messageIds(await list(`?text=${encodeURIComponent('احب كتابات')}`))).toEqual([1]);
    expect(messageIds(await list('?userId=12&text=lovely'))).toEqual([]);
    expect((await list('?userId=11')).headers.get('x-total-count')).toBe('2');
    expect((await list('?text=lovely')).headers.get('x-total-count')).toBeNull();
  });

  test.each([
    ['harakat', 'بِّ'],
    ['families', '👨‍👩‍👧‍👦'],
  ])('accepts a hundred characters as a person counts them, even with %s', async (_name, character) => {
    expect(await list(`?text=${encodeURIComponent(character.repeat(100))}`)).toMatchObject({ status: 200, body: [] });
  });

  test.each(['?userId=0', '?userId=x', '?limit=0', '?limit=101', '?before=-1', `?text=${'a'.repeat(101)}`])(
    '%s is refused',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    },
  );
});

describe('every read', () => {
  // Threat model: witness-6, admin-1.
  test('a read of tracking is recorded in the audit log with caller, action and time', async () => {
    const began = Date.now();
    const [newest] = (await list('?userId=11&limit=1')).body as { id: number }[];
    const [entry] = await readAudit(bed);
    expect(entry).toMatchObject({
      userId: administrator.userId,
      ipAddress: administrator.ip,
      action: 'tracking.list',
      outcome: 'done',
    });
    expect(entry?.details).toEqual({ recipientId: 11, records: 1, newestId: newest?.id, oldestId: newest?.id });
    expect(Math.abs(Date.parse(entry?.createdAt ?? '') - began)).toBeLessThan(60_000);
  });

  test('the reason to read words is recorded, and is one of a report', async () => {
    const [newest] = (await list('?userId=11&limit=1&reason=threat')).body as { id: number }[];
    const [entry] = await readAudit(bed);
    expect(entry?.details).toMatchObject({ reason: 'threat', newestId: newest?.id });
    expect(await list('?reason=curious')).toMatchObject({ status: 422, body: { fields: { reason: 'not_a_choice' } } });
  });

  test('a search in tracking is recorded without its text', async () => {
    await list(`?text=${encodeURIComponent('كتابات')}`);
    const [entry] = await readAudit(bed);
    expect(entry?.details).toMatchObject({ byText: true, records: 1 });
    expect(JSON.stringify(entry)).not.toContain('كتابات');
  });

  // Threat model: admin-1.
  test('a failed read of tracking is recorded as failed', async () => {
    const other = await startTestBed({ services: ['auth', 'admin'] });
    try {
      expect(await other.call('admin', 'GET', '/api/admin/sender-tracking', { identity: administrator })).toMatchObject(
        { status: 503, body: { code: 'unavailable' } },
      );
      expect(await readAudit(other)).toMatchObject([
        { action: 'tracking.list', outcome: 'failed', details: { code: 'unavailable' } },
      ]);
    } finally {
      await other.stop();
    }
  });
});

test('the audit log is newest first and paged by the Link header', async () => {
  for (let reads = 0; reads < 3; reads += 1) await list();
  const all = (await readAudit(bed)).map(({ id }) => id);
  expect(all).toEqual([...all].sort((a, b) => b - a));
  const first = await bed.call('admin', 'GET', '/api/admin/audit?limit=2', { identity: administrator });
  expect((first.body as { id: number }[]).map(({ id }) => id)).toEqual(all.slice(0, 2));
  expect(first.headers.get('link')).toBe(`</api/admin/audit?limit=2&before=${all[1]}>; rel="next"`);
});
