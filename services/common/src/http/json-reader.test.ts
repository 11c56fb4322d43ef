import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { UploadedImage } from '@najwa/proto/http';
import { JsonReader } from './json-reader.js';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
const MAX_BYTES = 64 * KILOBYTE;
const picture = { field: 'imageUrl', maxBytes: 5 * MEGABYTE };

/** Reads a body in chunks of the given size. */
function read(body: string | Buffer, pieceBytes = 16 * KILOBYTE): unknown {
  const reader = new JsonReader({ maxBytes: MAX_BYTES, picture });
  const bytes = Buffer.from(body);
  for (let start = 0; start < bytes.length; start += pieceBytes)
    reader.write(bytes.subarray(start, start + pieceBytes));
  return reader.finish();
}

const dataUrl = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;
const uploaded = (bytes: Buffer): UploadedImage =>
  new UploadedImage(bytes, createHash('sha256').update(bytes).digest('base64url'));

/** All byte values, so that the base64 contains every character. */
const bytesOf = (length: number): Buffer =>
  Buffer.alloc(length, Buffer.from(Array.from({ length: 257 }, (_, i) => i * 7)));

const refusal = (code: string): unknown => expect.objectContaining({ code });

describe('a body without a picture', () => {
  test.each([
    '{}',
    'null',
    '[]',
    '"text"',
    '{"userId":1,"content":"سلام \\"x\\" \\\\"}',
    '{"imageUrl":null}',
    '{"imageUrl":"/image/a.webp"}',
    '{"imageUrl":""}',
    '{"imageUrl":"data:text/html;base64,AAAA"}',
    '{"imageUrl":"data:\\"image/png;base64,AAAA"}',
    '{"imageUrl":["data:image/png;base64,AAAA"]}',
    '{"a":{"imageUrl":"data:image/png;base64,AAAA"}}',
    '["imageUrl","data:image/png;base64,AAAA"]',
    '{"a":"imageUrl","b":"data:image/png;base64,AAAA"}',
  ])('%s is read as by JSON.parse, for any chunk size', (body) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(read(body, size)).toEqual(JSON.parse(body));
  });

  test.each(['', '{', '{"a":1', '{"a":}', '"a', 'nul', '{}{}', '{"imageUrl":"data:image/png;base64,AAAA"'])(
    '%j is malformed',
    (body) => {
      expect(() => read(body)).toThrow(refusal('malformed'));
    },
  );

  test('bytes that are not UTF-8 are malformed', () => {
    expect(() => read(Buffer.from([0x22, 0xff, 0x22]))).toThrow(refusal('malformed'));
  });

  test('a body without a picture is refused above the size limit, not at it', () => {
    const bodyOf = (length: number) => JSON.stringify({ content: 'a'.repeat(length - '{"content":""}'.length) });
    expect(read(bodyOf(MAX_BYTES))).toHaveProperty('content');
    expect(() => read(bodyOf(MAX_BYTES + 1))).toThrow(refusal('payload_too_large'));
  });
});

describe('a body with a picture', () => {
  test.each([1, 2, 3, 4, 1000, MEGABYTE, 5 * MEGABYTE])('%p bytes are decoded unchanged', (length) => {
    const bytes = bytesOf(length);
    const body = JSON.stringify({ userId: 1, imageUrl: dataUrl(bytes), content: 'x' });
    const { imageUrl, ...others } = read(body) as { imageUrl: UploadedImage };
    expect(others).toEqual({ userId: 1, content: 'x' });
    expect(imageUrl.digest).toBe(uploaded(bytes).digest);
    // Comparing megabytes with toEqual takes half a minute.
    expect(imageUrl.bytes.equals(bytes)).toBe(true);
  });

  const escaped = (text: string): string =>
    [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  test.each<[string, (url: string) => string]>([
    ['as it is', (url) => url],
    ['with escaped slashes', (url) => url.replaceAll('/', '\\/')],
    ['as Gson writes it', (url) => url.replaceAll('=', '\\u003d')],
    ['as .NET writes it', (url) => url.replaceAll('+', '\\u002B')],
    ['with every character escaped', escaped],
  ])('a picture is read %s, for any chunk size', (_title, write) => {
    const bytes = bytesOf(700);
    const body = `{"imageUrl":"${write(dataUrl(bytes))}","content":"x"}`;
    expect((JSON.parse(body) as { imageUrl: string }).imageUrl).toBe(dataUrl(bytes));
    for (const size of [1, 2, 3, 5, 64, 65, 1000, 16_384])
      expect(read(body, size)).toEqual({ imageUrl: uploaded(bytes), content: 'x' });
  });

  test.each(['data:;base64,', 'data:application/octet-stream;base64,', 'data:image/JPEG;name=a.jpg;base64,'])(
    'needs no type in %s',
    (prefix) => {
      expect(read(`{"imageUrl":"${prefix}AAAA"}`)).toEqual({ imageUrl: uploaded(Buffer.alloc(3)) });
    },
  );

  test('a picture one byte above the limit is too large', () => {
    expect(() => read(`{"imageUrl":"${dataUrl(Buffer.alloc(5 * MEGABYTE + 1))}"}`)).toThrow(
      expect.objectContaining({ code: 'image_too_large', fields: { imageUrl: 'image_too_large' } }),
    );
  });

  test.each(['', '=', 'AAA', 'AA*A', 'AAAA AAA', 'AA==AAAA', 'AAAA\\n', 'AAAA\\', 'AAAA\\u00', 'AA\\u0661A'])(
    'base64 of %j is no picture',
    (encoded) => {
      for (const size of [1, 1000])
        expect(() => read(`{"imageUrl":"data:image/png;base64,${encoded}"}`, size)).toThrow(
          expect.objectContaining({ code: 'unsupported_image', fields: { imageUrl: 'unsupported_image' } }),
        );
    },
  );

  test('a second picture is malformed', () => {
    const url = dataUrl(Buffer.from('a'));
    expect(() => read(`{"imageUrl":"${url}","imageUrl":"${url}"}`)).toThrow(refusal('malformed'));
  });

  test('the other fields have the JSON size limit', () => {
    const url = dataUrl(bytesOf(MEGABYTE));
    expect(() => read(JSON.stringify({ imageUrl: url, content: 'a'.repeat(MAX_BYTES) }))).toThrow(
      refusal('payload_too_large'),
    );
    expect(() => read(JSON.stringify({ avatar: url }))).toThrow(refusal('payload_too_large'));
  });
});

describe('a hostile body is refused early', () => {
  const repeat = (text: string): Buffer => Buffer.alloc(8 * MEGABYTE, text);
  const many = (entry: string): Buffer => Buffer.concat([Buffer.from('{'), repeat(entry)]);

  test.each([
    ['4 million nested arrays', repeat('['), 'malformed'],
    ['a million values', Buffer.concat([Buffer.from('['), repeat('1,')]), 'malformed'],
    ['600,000 keys', many('"abcdefgh":1,'), 'malformed'],
    ['keys that name the picture', many('"imageUrl":0,'), 'malformed'],
    ['one endless string', Buffer.concat([Buffer.from('"'), repeat('a')]), 'payload_too_large'],
    ['one endless key', Buffer.concat([Buffer.from('{"'), repeat('a')]), 'payload_too_large'],
    ['endless white space', repeat(' '), 'payload_too_large'],
  ])('%s', (_name, body, code) => {
    const reader = new JsonReader({ maxBytes: MAX_BYTES, picture });
    const pieces = Array.from({ length: 8 * 16 }, (_, index) => body.subarray(index << 16, (index + 1) << 16));
    let written = 0;
    expect(() => {
      for (const piece of pieces) {
        reader.write(piece);
        written += 1;
      }
    }).toThrow(refusal(code));
    expect(written).toBeLessThanOrEqual(1);
  });
});
