import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readSample, sharedBed, startGateway, type Bed, type BedAccount, type BedGateway } from '@najwa/testing';

let bed: Bed;
let gateway: BedGateway;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  gateway = await startGateway(bed);
});
beforeEach(async () => {
  owner = await bed.newAccount({ name: 'نورة' });
});
afterAll(() => gateway.stop());

const KEY = 'abcdefghijklmnopqrstuv';

/** Sends the form of the account's page as a browser without scripts does. */
async function send(fields: Record<string, string>, picture?: Buffer, headers: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('image', picture ? new Blob([picture]) : new Blob([]), picture ? 'a.jpg' : '');
  const answer = await fetch(`${gateway.origin}/m/${owner.username}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', cookie: `najwa_visitor=${KEY}`, ...headers },
    body,
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

const received = async () =>
  (await bed.call('messages', 'GET', '/api/messages', { identity: owner.identity })).body as {
    id: number;
    content: string;
    imageUrl: string | null;
  }[];

const openWay = async (location: string) => bed.call('messages', 'GET', `/api/ways-back${location.slice('/r'.length)}`);

describe('a message of a form without scripts', () => {
  test('a form without scripts sends a message with its picture, shown by its way back', async () => {
    const sent = await send({ content: 'سطر\r\nوسطر' }, await readSample('photo-gps.jpg'));
    expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/^\/r\/[\w-]{22}$/)]);
    expect(await received()).toMatchObject([{ content: 'سطر\nوسطر', imageUrl: expect.stringContaining('/image/') }]);
    expect((await openWay(sent.location)).body).toMatchObject({ content: 'سطر\nوسطر', canDelete: true });
  });

  test('a form sent repeatedly and concurrently is one message with one way back', async () => {
    const tries = await Promise.all([1, 2, 3].map(() => send({ content: 'مرة واحدة' })));
    tries.push(await send({ content: 'مرة واحدة' }));
    expect(new Set(tries.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    expect(await received()).toHaveLength(1);
    expect((await openWay(tries[0]?.location ?? '')).status).toBe(200);
    await send({ content: 'غيرها' });
    expect(await received()).toHaveLength(2);
  });

  test("a form's message deleted by its way back is not sent again", async () => {
    const { location } = await send({ content: 'للحذف' });
    await bed.call('messages', 'DELETE', `/api/ways-back${location.slice('/r'.length)}`);
    expect((await send({ content: 'للحذف' })).location).toBe(location);
    expect(await received()).toEqual([]);
    expect((await openWay(location)).status).toBe(404);
  });

  // Threat model: sender-5.
  test('a form of a blocked sender is answered like any other, and set aside', async () => {
    const headers = { 'user-agent': `blocked ${owner.username}` };
    await send({ content: 'الأولى' }, undefined, headers);
    const [first] = await received();
    const blocked = await bed.call('messages', 'POST', '/api/blocks', {
      identity: owner.identity,
      body: { messageId: first?.id },
    });
    expect(blocked.status).toBe(201);
    const sent = await send({ content: 'الثانية' }, undefined, headers);
    expect([sent.status, (await openWay(sent.location)).body]).toEqual([
      303,
      expect.objectContaining({ content: 'الثانية', isRead: false, canDelete: true }),
    ]);
    expect((await received()).map(({ content }) => content)).not.toContain('الثانية');
  });

  test.each([
    ['without a text', { content: '  ' }, 422, 'invalid_input'],
    ['that is too long', { content: 'ب'.repeat(701) }, 422, 'invalid_input'],
    ['to a question that the account does not have', { content: 'جواب', ask: '99' }, 404, 'prompt_not_found'],
    ['to a question that is none', { content: 'جواب', ask: 'x' }, 422, 'invalid_input'],
  ])('a form %s is refused', async (_what, fields, status, code) => {
    const refused = await send(fields);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([status, expect.objectContaining({ code })]);
    expect(await received()).toEqual([]);
  });

  test('a form is refused while receiving is paused, or with an invalid picture', async () => {
    const noPicture = await send({ content: 'نص' }, Buffer.from('no picture'));
    expect(JSON.parse(noPicture.text)).toMatchObject({ code: 'unsupported_image' });
    await bed.call('messages', 'PATCH', '/api/users/receiving', { identity: owner.identity, body: { from: 'nobody' } });
    const paused = await send({ content: 'نص' });
    expect([paused.status, JSON.parse(paused.text)]).toEqual([
      403,
      expect.objectContaining({ code: 'receiving_paused' }),
    ]);
    expect(await received()).toEqual([]);
  });
});
