import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { messageState, sample, startMediaBed, type MediaBed } from './media-bed.js';

const OWNER = 1;
const SENDER = 2;
/** Accept header of a browser without WebP. */
const WITHOUT_WEBP = { accept: 'image/png,image/*;q=0.8,*/*;q=0.5' };
const FORMS = { whole: {}, small: { size: 'small' }, jpeg: { headers: WITHOUT_WEBP } } as const;
const ROLES = {
  'a visitor': {},
  'the owner': { userId: OWNER },
  'the sender': { userId: SENDER },
  'another account': { userId: 3 },
  'an administrator': { userId: 4, isAdmin: true },
};

let media: MediaBed;
let name: string;

beforeAll(async () => {
  media = await startMediaBed();
});

beforeEach(async () => {
  // Large enough to have every form.
  ({ name } = await media.store(await sample('photo-rotated.jpg'), { readerIds: [OWNER, SENDER] }));
});

afterAll(() => media.stop());

const publish = (revision: number, isPublic = true) =>
  media.deliver({ $case: 'messageUpdated', value: { message: messageState({ imageName: name, isPublic, revision }) } });

describe('picture permissions', () => {
  test.each<[keyof typeof ROLES, number, number]>([
    ['a visitor', 404, 200],
    ['the owner', 200, 200],
    ['the sender', 200, 200],
    ['another account', 404, 200],
    ['an administrator', 404, 200],
  ])(
    '%s gets %i while the message is private and %i while it is public, in every form',
    async (role, whilePrivate, whilePublic) => {
      const fetchStatuses = async () => {
        const answers = await Promise.all(
          Object.values(FORMS).map((form) => media.fetchImage(name, { ...form, identity: ROLES[role] })),
        );
        return [...new Set(answers.map(({ status }) => status))];
      };
      expect(await fetchStatuses()).toEqual([whilePrivate]);
      await publish(2);
      expect(await fetchStatuses()).toEqual([whilePublic]);
      await publish(3, false);
      expect(await fetchStatuses()).toEqual([whilePrivate]);
    },
  );

  // Threat model: minio-1.
  test('a forbidden picture and a missing one get the same answer', async () => {
    const unknown = Buffer.from(name, 'base64url').reverse().toString('base64url');
    const refusals = await Promise.all(
      [name, unknown, 'x', 'a.png', `${name}%00`, '..%2F..%2Fetc', 'n'.repeat(5_000)].map((path) =>
        media.bed.call('media', 'GET', `/api/image/${path}`),
      ),
    );
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 404, body: { code: 'media_not_found' } });
      expect(refusal.body).toEqual(refusals[0]?.body);
      expect(refusal.headers.get('etag')).toBeNull();
    }
  });

  test('refuses a picture request without an identity from the gateway', async () => {
    await publish(2);
    expect((await fetch(`${media.bed.url('media')}/api/image/${name}`)).status).toBe(401);
  });
});

describe('a picture response', () => {
  const identity = { userId: OWNER };

  // Threat model: sender-15.
  test('a picture response has headers that only let a browser show it', async () => {
    const { status, headers, bytes } = await media.fetchImage(name, { identity });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  test('HEAD of a picture equals GET without a body', async () => {
    const [get, head] = await Promise.all(
      (['GET', 'HEAD'] as const).map((method) => media.fetchImage(name, { identity, method })),
    );
    expect(head?.status).toBe(200);
    expect(head?.bytes).toHaveLength(0);
    for (const header of ['content-type', 'content-length', 'etag', 'cache-control'])
      expect(head?.headers.get(header)).toBe(get?.headers.get(header));
  });

  test('a picture response varies by Accept, with an ETag for each form', async () => {
    const answers = await Promise.all(
      Object.values(FORMS).map((form) => media.fetchImage(name, { ...form, identity })),
    );
    expect(answers.map(({ headers }) => headers.get('vary'))).toEqual(answers.map(() => 'Accept'));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(answers.length);
    const whole = answers[0]?.headers.get('etag') ?? '';
    expect(
      (await media.fetchImage(name, { ...FORMS.small, identity, headers: { 'if-none-match': whole } })).status,
    ).toBe(200);
  });

  // Threat model: minio-1.
  test('a matching ETag of a picture gets 304 only if the caller may still see it', async () => {
    const etag = (await media.fetchImage(name, { identity })).headers.get('etag') ?? '';
    const again = { 'if-none-match': etag };
    expect(await media.fetchImage(name, { identity, headers: again })).toMatchObject({
      status: 304,
      bytes: Buffer.alloc(0),
    });
    expect((await media.fetchImage(name, { headers: again })).status).toBe(404);
    expect((await media.fetchImage(name, { identity, headers: { 'if-none-match': '"another"' } })).status).toBe(200);
  });

  test('a picture response follows the API contract', async () => {
    expect((await media.bed.call('media', 'GET', `/api/image/${name}`, { identity })).status).toBe(200);
    expect(await media.bed.call('media', 'GET', '/api/image/%ZZ', { identity })).toMatchObject({
      status: 400,
      body: { code: 'malformed' },
    });
    expect(
      (await media.bed.call('media', 'GET', `/api/image/${name}?size=small`, { identity, headers: WITHOUT_WEBP }))
        .status,
    ).toBe(200);
    for (const query of ['size=large', 'size=', 'size=small&size=small']) {
      expect(await media.bed.call('media', 'GET', `/api/image/${name}?${query}`, { identity })).toMatchObject({
        status: 422,
        body: { fields: { size: 'not_a_choice' } },
      });
    }
  });
});

test('the records of two pictures with the same readers share no reader', async () => {
  const other = await media.store(await sample('1x1.png'), { readerIds: [OWNER, SENDER] });
  const database = await media.bed.openDatabase('media');
  const found = await database
    .collection('pictures')
    .find<{ readerTags: string[] }>({ name: { $in: [name, other.name] } })
    .toArray();
  await database.close();
  const tags = found.flatMap(({ readerTags }) => readerTags);
  expect(new Set(tags).size).toBe(4);
});
