import { beforeAll, describe, expect, test } from '@jest/globals';
import { cleanText, countCharacters, LIMITS } from '@najwa/proto/http/client';
import { sharedBed, type Bed } from '@najwa/testing';
import { TEXTS } from '../support/texts.js';

let bed: Bed;
let ownerId: number;

beforeAll(async () => {
  bed = await sharedBed();
  ownerId = (await bed.newAccount()).id;
});

describe.each(TEXTS.map((entry) => [entry.name, entry] as const))('%s', (_name, { text, characters, verdict }) => {
  test(`counts as ${characters}`, () => {
    const result = cleanText(text, LIMITS.text.message);
    if ('text' in result) expect(countCharacters(result.text)).toBe(characters);
    else expect(result.fault).toBe(verdict);
  });

  test(`is ${verdict} as a message`, async () => {
    const answer = await bed.call('messages', 'POST', '/api/messages', { body: { userId: ownerId, content: text } });
    if (verdict === 'accepted') {
      expect(answer).toMatchObject({
        status: 201,
        body: {
          content: text
            .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
            .normalize('NFC')
            .trim(),
        },
      });
    } else {
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: { content: verdict } } });
    }
  });
});

test('the sample covers enough texts', () => {
  expect(TEXTS.length).toBeGreaterThanOrEqual(60);
});
