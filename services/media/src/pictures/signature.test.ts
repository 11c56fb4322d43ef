import { describe, expect, test } from '@jest/globals';
import { detectFormat } from './signature.js';

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

/** The first box of an AVIF or HEIC file. */
const fileType = (major: string, ...compatible: string[]): Buffer => {
  const brands = bytes(major, [0, 0, 0, 0], ...compatible);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + brands.length);
  return Buffer.concat([size, bytes('ftyp'), brands, Buffer.alloc(40)]);
};

describe('detects the format by its first bytes', () => {
  test.each([
    ['jpeg', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
    ['png', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a])],
    ['gif', bytes('GIF87a')],
    ['gif', bytes('GIF89a/*')],
    ['webp', bytes('RIFF', [4, 0, 0, 0], 'WEBPVP8 ')],
    ['avif', fileType('avif', 'avif', 'mif1', 'miaf')],
    ['avif', fileType('mif1', 'mif1', 'avif')],
    ['avif', fileType('avis', 'msf1')],
    ['heic', fileType('heic', 'mif1', 'heic')],
    ['heic', fileType('mif1', 'mif1', 'heic')],
    ['tiff', bytes('II*', [0])],
    ['tiff', bytes('MM', [0], '*')],
  ])('detects %s by its first bytes', (format, content) => {
    expect(detectFormat(content)).toBe(format);
  });
});

describe('refuses anything else', () => {
  test.each([
    ['nothing', bytes()],
    ['text', bytes('hello')],
    ['an SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an SVG behind white space', bytes('\n<?xml version="1.0"?><svg/>')],
    ['a PDF', bytes('%PDF-1.7')],
    ['a BMP', bytes('BM')],
    ['a JPEG cut in its first bytes', bytes([0xff, 0xd8])],
    ['a PNG with converted line endings', bytes([0x89], 'PNG\n', [0x1a, 0x0a])],
    ['RIFF audio', bytes('RIFF', [4, 0, 0, 0], 'WAVEfmt ')],
    ['an MP4', fileType('isom', 'iso2', 'mp41')],
    ['a box that ends before its brands', bytes([0, 0, 0, 8], 'ftyp')],
    ['a brand beyond the end of its box', bytes([0, 0, 0, 16], 'ftypisom', [0, 0, 0, 0], 'avif')],
  ])('detects no format in %s', (_name, content) => {
    expect(detectFormat(content)).toBeUndefined();
  });
});
