import { expect, test } from '@jest/globals';
import { toBase32, totpCode } from './second-step.js';

/** RFC 6238, appendix B, SHA-1. The last six of its eight digits. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the TOTP code at %d s matches RFC 6238', (seconds, code) => {
  expect(totpCode(Buffer.from('12345678901234567890'), Math.floor(seconds / 30))).toBe(code);
});

/** RFC 4648, section 10. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('the base32 of %p matches RFC 4648', (text, expected) => {
  expect(toBase32(Buffer.from(text))).toBe(expected);
});
