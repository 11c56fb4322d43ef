import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Sealer, sealingKeys } from './sealing.js';

const [first, second] = [randomBytes(32), randomBytes(32)];
const secret = Buffer.from('the secret');
const sealer = new Sealer([first]);

describe('a sealed secret', () => {
  test('a sealed secret is opened by its key for its owner', () => {
    const sealed = sealer.seal(secret, 'totp 7');
    expect(sealer.open(sealed, 'totp 7')).toEqual(secret);
    expect(sealed).not.toContain(secret.toString('base64url'));
    expect(sealer.seal(secret, 'totp 7')).not.toBe(sealed);
  });

  // Threat model: mongodb-2.
  test('cannot be moved to another owner, changed or opened with another key', () => {
    const sealed = sealer.seal(secret, 'totp 7');
    const last = sealed.at(-3) === 'A' ? 'B' : 'A';
    expect(() => sealer.open(sealed, 'totp 8')).toThrow();
    expect(() => sealer.open(`${sealed.slice(0, -3)}${last}${sealed.slice(-2)}`, 'totp 7')).toThrow();
    expect(() => new Sealer([second]).open(sealed, 'totp 7')).toThrow(/not configured/);
    expect(() => sealer.open('', 'totp 7')).toThrow();
  });

  test('a sealed secret is sealed again by a new key, which the earlier one does not open', () => {
    const sealed = sealer.seal(secret, 'totp 7');
    const rotated = new Sealer([second, first]);
    const renewed = rotated.renew(sealed, 'totp 7');
    expect(rotated.renew(renewed ?? '', 'totp 7')).toBeNull();
    expect(new Sealer([second]).open(renewed ?? '', 'totp 7')).toEqual(secret);
    expect(() => sealer.open(renewed ?? '', 'totp 7')).toThrow();
  });
});

test('keys are read from one variable, and refused in another length', () => {
  const text = [first, second].map((key) => key.toString('base64'));
  expect(sealingKeys.parse(text.join(', '))).toEqual([first, second]);
  expect(sealingKeys.safeParse('').success).toBe(false);
  expect(sealingKeys.safeParse(`${text[0]},c2hvcnQ=`).success).toBe(false);
});
