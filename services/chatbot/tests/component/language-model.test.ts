import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestBed, type CallerIdentity, type TestBed } from '@najwa/testing';
import { ask, listConversations, newVisitor, picture, responseOf, upload, urlOf } from './chat-bed.js';
import {
  answering,
  breakingOff,
  endless,
  failing,
  silent,
  startOpenAiStandIn,
  talkingNonsense,
  type OpenAiStandIn,
} from './openai-stand-in.js';

let openai: OpenAiStandIn;
let bed: TestBed;

const environment = (): Record<string, string> => ({
  RATE_LIMIT_SCALE: '0',
  OPENAI_API_KEY: 'the-key',
  OPENAI_BASE_URL: openai.url,
  OPENAI_MODEL: 'the-model',
  OPENAI_PAUSE_MS: '300',
});

beforeAll(async () => {
  openai = await startOpenAiStandIn();
  bed = await startTestBed({ services: ['media', 'chatbot'], env: environment() });
});

afterAll(async () => {
  await bed.stop();
  await openai.stop();
});

/** The test before may have left the circuit breaker open. */
const waitUntilAsked = (): Promise<void> =>
  bed.eventually(async () => expect(responseOf(await ask(bed, 'hello', { identity: newVisitor() }))).toBe('أنا هنا'));

beforeEach(async () => {
  openai.behave(answering('أنا هنا'));
  await waitUntilAsked();
  openai.requests.length = 0;
});

describe('an answer', () => {
  test('the model answers without the marker', async () => {
    const answer = await ask(bed, 'كيف أرسل رسالة؟', { identity: newVisitor() });
    expect(responseOf(answer)).toBe('أنا هنا');
    expect((await listConversations(bed))[0]).toMatchObject({ botResponse: 'أنا هنا', isUsingLocalSystem: false });
  });

  // Threat model: openai-1.
  test('the model is asked with the key, the model name and matching knowledge', async () => {
    await ask(bed, 'How long can a voice message be?', { identity: newVisitor() });
    const [request] = openai.requests;
    expect(request).toMatchObject({ authorization: 'Bearer the-key', model: 'the-model' });
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(request?.messages[0]?.content).toContain('3 minutes');
    expect(request?.messages[0]?.content).toContain('never reveal');
    expect(request?.messages[1]?.content).toBe('How long can a voice message be?');
  });

  // Threat model: openai-1.
  test('the model gets the history of the same caller only', async () => {
    const identity = newVisitor();
    await ask(bed, 'first', { identity });
    await ask(bed, 'second', { identity });
    expect(openai.requests.at(-1)?.messages.slice(1)).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'أنا هنا' },
      { role: 'user', content: 'second' },
    ]);
    await ask(bed, 'third', { identity: newVisitor() });
    expect(openai.requests.at(-1)?.messages).toHaveLength(2);
  });

  test('the model gets no history of a visitor without a cookie, whose address and browser are shared', async () => {
    const identity: CallerIdentity = { visitorId: randomUUID(), visitorByAddress: true };
    const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
    await ask(bed, 'a secret', { identity, imageUrl });
    const repeated = { identity, headers: { 'idempotency-key': randomUUID() } };
    await ask(bed, 'what was asked before?', repeated);
    expect(openai.requests.at(-1)?.messages).toHaveLength(2);
    await ask(bed, 'what was asked before?', repeated);
    expect(openai.requests).toHaveLength(2);
  });

  // Threat model: openai-1.
  test('the model gets the private picture of the caller', async () => {
    const identity = newVisitor();
    const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
    await ask(bed, 'what is this?', { identity, imageUrl });
    const content = openai.requests.at(-1)?.messages.at(-1)?.content;
    expect(content).toMatchObject([
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/) } },
    ]);
    expect((await listConversations(bed))[0]).toMatchObject({
      imageName: imageUrl.slice('/image/'.length),
      isUsingLocalSystem: false,
    });
  });

  // Threat model: openai-2.
  test('an answer of the model is cut at the maximum length', async () => {
    openai.behave(answering('نعم '.repeat(100_000)));
    expect(responseOf(await ask(bed, 'how?', { identity: newVisitor() }))).toHaveLength(8_000);
  });

  test('the model is asked once for a repeated submission', async () => {
    const options = { identity: newVisitor(), headers: { 'idempotency-key': randomUUID() } };
    await ask(bed, 'hello', options);
    await ask(bed, 'hello', options);
    expect(openai.requests).toHaveLength(1);
  });
});

describe('the automatic mode answers', () => {
  const expectAutomatic = async (asked: TestBed): Promise<void> => {
    const answer = await ask(asked, 'How long can a voice message be?', { identity: newVisitor() });
    expect(answer.status).toBe(200);
    expect(responseOf(answer)).toContain('automatic');
    expect(responseOf(answer)).toContain('3 minutes');
    expect((await listConversations(asked))[0]).toMatchObject({ isUsingLocalSystem: true });
  };

  test.each([
    ['429', failing(429)],
    ['500', failing(500)],
    ['401', failing(401)],
    ['400', failing(400)],
    ['an answer that breaks off', breakingOff],
    ['no JSON', talkingNonsense],
    ['an empty answer', answering('  ')],
    ['no text', answering(null)],
  ])('automatic mode answers when the model gives %s', async (_what, behaviour) => {
    openai.behave(behaviour);
    await expectAutomatic(bed);
  });

  test('automatic mode answers when the model gives nothing in time', async () => {
    // Only here: on a busy machine, an answer of the stand-in may take seconds.
    const env = { ...environment(), OPENAI_TIMEOUT_MS: '100' };
    const impatient = await startTestBed({ services: ['chatbot'], env });
    openai.behave(silent);
    await expectAutomatic(impatient);
    await impatient.stop();
  });

  test('automatic mode says that it cannot see pictures when the model fails', async () => {
    const identity = newVisitor();
    const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
    openai.behave(failing(500));
    expect(responseOf(await ask(bed, '', { identity, imageUrl }))).toContain('لا أستطيع رؤية الصور');
    expect(responseOf(await ask(bed, 'What is Najwa?', { identity, imageUrl }))).toContain("can't see pictures");
  });

  test("automatic mode answers when the model's body has no end", async () => {
    const { behaviour, taken } = endless();
    openai.behave(behaviour);
    expect(responseOf(await ask(bed, 'hello', { identity: newVisitor() }))).toContain('automatic');
    // With what is on the way. Without a bound it is some hundred megabytes until its time is over.
    expect(await taken).toBeLessThan(16 * 1024 * 1024);
  });

  test('automatic mode answers after at most three attempts', async () => {
    openai.behave(failing(500));
    await ask(bed, 'hello', { identity: newVisitor() });
    expect(openai.requests.length).toBeGreaterThan(1);
    expect(openai.requests.length).toBeLessThanOrEqual(3);
  });
});

// Threat model: openai-3.
test('a failing model is not asked for a while, then asked again', async () => {
  openai.behave(failing(500));
  await bed.eventually(async () => {
    openai.requests.length = 0;
    await ask(bed, 'hello', { identity: newVisitor() });
    expect(openai.requests).toEqual([]);
  });
  openai.behave(answering('أنا هنا'));
  await waitUntilAsked();
});
