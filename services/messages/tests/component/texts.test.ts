import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countCharacters } from '@najwa/common';
import { startTestBed, type TestBed } from '@najwa/dev-env';
import { TEXTS } from '../support/texts.js';

const LIMIT = 700;

/** What the page counts with while somebody writes. */
interface ClientCounter {
  readText(text: string, limit: number): { content: string; used: number; fault: string | null };
  withoutForbidden(text: string): string;
}

let bed: TestBed;
let client: ClientCounter;
let ownerId: number;

beforeAll(async () => {
  // The web client is no package that a service could name; the two must agree all the same.
  client = (await import(new URL('../../../../web/src/lib/graphemes.ts', import.meta.url).pathname)) as ClientCounter;
  bed = await startTestBed({ services: ['auth', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  ownerId = (await bed.newAccount()).id;
});

afterAll(() => bed.stop());

describe.each(TEXTS.map((entry) => [entry.name, entry] as const))('%s', (_name, { text, characters, verdict }) => {
  test(`counts as ${characters} for the server and for the client`, () => {
    const { content, used } = client.readText(text, LIMIT);
    expect(countCharacters(content)).toBe(characters);
    // What is refused unread reads as too much, whatever a person counts.
    if (verdict === 'too_long') expect(used).toBeGreaterThan(LIMIT);
    else expect(used).toBe(characters);
  });

  test(`is ${verdict} by the server and by the client`, async () => {
    const answer = await bed.call('messages', 'POST', '/api/messages', { body: { userId: ownerId, content: text } });
    if (verdict === 'accepted') {
      expect(answer).toMatchObject({
        status: 201,
        body: { content: text.replaceAll('\r\n', '\n').normalize('NFC').trim() },
      });
    } else {
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: { content: verdict } } });
    }
    expect(client.readText(text, LIMIT).fault ?? 'accepted').toBe(verdict);
  });

  test('is never forbidden once a page has taken it in', () => {
    expect(client.readText(client.withoutForbidden(text), LIMIT).fault).not.toBe('forbidden_characters');
  });
});

test('there are enough of them', () => {
  expect(TEXTS.length).toBeGreaterThanOrEqual(60);
});
