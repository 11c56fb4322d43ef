import { expect, test } from '@jest/globals';
import { readImageDataUrl } from './data-url.js';

const MEGABYTE = 1024 * 1024;
const read = (dataUrl: string): Buffer => readImageDataUrl(dataUrl, 'imageUrl', 5 * MEGABYTE);
const dataUrlOf = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;

test.each([1, 2, 3, 4, 5 * MEGABYTE - 1, 5 * MEGABYTE])('%p bytes are read as they are', (length) => {
  const bytes = Buffer.alloc(length, 0xa7);
  expect(read(dataUrlOf(bytes)).equals(bytes)).toBe(true);
});

test('a picture that is too large is refused as that', () => {
  expect(() => read(dataUrlOf(Buffer.alloc(5 * MEGABYTE + 1)))).toThrow(
    expect.objectContaining({ code: 'image_too_large', fields: { imageUrl: 'image_too_large' } }),
  );
});

test.each([
  '',
  'data:image/png;base64,',
  'data:image/png;base64,=',
  'data:image/png;base64,AAA',
  'data:image/png;base64,AA*A',
  'data:image/png;base64,AAAA AAA',
  'data:text/html;base64,AAAA',
  'data:image/png,AAAA',
  'https://example.test/a.png',
])('%p is refused as no picture', (dataUrl) => {
  expect(() => read(dataUrl)).toThrow(expect.objectContaining({ code: 'unsupported_image' }));
});
