import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { ask, newVisitor, picture, responseOf, upload } from './chat-bed.js';
import { answering, startOpenAiStandIn, type OpenAiStandIn } from './openai-stand-in.js';

/** More than the estimate of one short question, less than that of two. */
const BUDGET_TOKENS = '3500';

let openai: OpenAiStandIn;
let bed: TestBed;

beforeAll(async () => {
  openai = await startOpenAiStandIn();
  bed = await startTestBed({
    services: ['media', 'chatbot'],
    env: {
      CHAT_LIMIT: '3/3600',
      CHAT_UPLOAD_LIMIT: '2/3600',
      OPENAI_API_KEY: 'the-key',
      OPENAI_BASE_URL: openai.url,
      OPENAI_CALLER_TOKENS: BUDGET_TOKENS,
      OPENAI_DAILY_TOKENS: BUDGET_TOKENS,
    },
  });
});

beforeEach(() => openai.behave(answering('yes', 10)));

afterAll(async () => {
  await bed.stop();
  await openai.stop();
});

const askAs = async (userId: number): Promise<string> => responseOf(await ask(bed, 'hello', { identity: { userId } }));

test('refuses questions beyond the limit of an address, regardless of cookies', async () => {
  const askFrom = (ip: string) => ask(bed, 'hello', { identity: { ...newVisitor(), ip } });
  for (let asked = 0; asked < 3; asked += 1) expect((await askFrom('192.0.2.1')).status).toBe(200);
  const refused = await askFrom('192.0.2.1');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await askFrom('192.0.2.2')).status).toBe(200);
  expect((await ask(bed, 'hello', { identity: { userId: 5, ip: '192.0.2.1' } })).status).toBe(200);
});

test('refuses questions beyond the limit of a site, across its networks', async () => {
  const askFrom = (subnet: number) =>
    ask(bed, 'hello', { identity: { ...newVisitor(), ip: `2001:db8:1:${subnet}00::1` } });
  for (let subnet = 1; subnet <= 12; subnet += 1) expect((await askFrom(subnet)).status).toBe(200);
  expect((await askFrom(13)).status).toBe(429);
  expect((await ask(bed, 'hello', { identity: { ...newVisitor(), ip: '2001:db8:2:1::1' } })).status).toBe(200);
});

test('refuses uploads beyond the limit', async () => {
  const content = await picture();
  const statuses = [];
  for (let sent = 0; sent < 3; sent += 1)
    statuses.push((await upload(bed, content, { identity: { userId: 6 } })).status);
  expect(statuses).toEqual([201, 201, 429]);
});

test('a question beyond the budget of all callers costs its caller nothing', async () => {
  let release: (() => void) | undefined;
  openai.behave((request, response) => {
    release = () => answering('yes', 10)(request, response);
  });
  const other = askAs(7);
  await bed.eventually(() => expect(release).toBeDefined());
  expect(await askAs(8)).toContain('automatic mode');
  openai.behave(answering('yes', 10));
  release?.();
  expect(await other).toBe('yes');
  expect(await askAs(8)).toBe('yes');
});

test('earlier answers count towards the budget of the next question', async () => {
  // Leaves enough for a question, but not with this answer before it.
  openai.behave(answering('long '.repeat(1_000), 1_200));
  expect(await askAs(9)).toContain('long');
  expect(await askAs(9)).toContain('automatic mode');
});
