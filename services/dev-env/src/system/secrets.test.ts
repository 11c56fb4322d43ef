import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN_SECRET_FILE, provideSecrets } from './secrets.js';

describe('the secrets of a system', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('stay the same from start to start, in files that only their owner reads', async () => {
    const first = await provideSecrets(folder, {});
    expect(await provideSecrets(folder, {})).toEqual(first);
    expect((await stat(path.join(folder, ADMIN_SECRET_FILE))).mode & 0o777).toBe(0o600);
  });

  test('are the same for two that make them at once', async () => {
    const [one, other] = await Promise.all([provideSecrets(folder, {}), provideSecrets(folder, {})]);
    expect(one).toEqual(other);
  });

  test('hold a key pair that belongs together', async () => {
    const { IDENTITY_PRIVATE_KEY, IDENTITY_PUBLIC_KEY } = await provideSecrets(folder, {});
    const text = Buffer.from('text');
    const signature = sign(null, text, createPrivateKey(IDENTITY_PRIVATE_KEY));
    expect(verify(null, text, createPublicKey(IDENTITY_PUBLIC_KEY), signature)).toBe(true);
  });

  test("take the administrators' secret from the environment where it names one", async () => {
    expect((await provideSecrets(folder, { ADMIN_SECRET: 'mine' })).ADMIN_SECRET).toBe('mine');
    expect((await provideSecrets(folder, { ADMIN_SECRET: '' })).ADMIN_SECRET).not.toBe('');
  });
});
