import { expect, test } from '@jest/globals';
import { detectContainer } from './container.js';

test.each<[string, string | undefined]>([
  ['\x1a\x45\xdf\xa3\x9f\x42\x86', 'matroska'],
  ['OggS\0\x02', 'ogg'],
  ['\0\0\0\x20ftypisom', 'mov'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'wav'],
  ['RIFF\x24\0\0\0WEBPVP8 ', undefined],
  ['RIFF', undefined],
  ['ftypisom', undefined],
  [' OggS', undefined],
  ['ID3\x04', undefined],
  ['#EXTM3U\n', undefined],
  ['ffconcat version 1.0', undefined],
  ['', undefined],
])('the container of %j is %s', (head, container) => {
  expect(detectContainer(Buffer.from(head, 'latin1'))).toBe(container);
});
