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

  test('persist between starts in owner-only files', async () => {
    const first = await provideSecrets(folder, {});
    expect(await provideSecrets(folder, {})).toEqual(first);
    expect((await stat(path.join(folder, ADMIN_SECRET_FILE))).mode & 0o777).toBe(0o600);
  });

  test('secrets are created once by concurrent starts', async () => {
    const [one, other] = await Promise.all([provideSecrets(folder, {}), provideSecrets(folder, {})]);
    expect(one).toEqual(other);
  });

  test('contain matching keys', async () => {
    const { IDENTITY_PRIVATE_KEY, IDENTITY_PUBLIC_KEY } = await provideSecrets(folder, {});
    const text = Buffer.from('text');
    const signature = sign(null, text, createPrivateKey(IDENTITY_PRIVATE_KEY));
    expect(verify(null, text, createPublicKey(IDENTITY_PUBLIC_KEY), signature)).toBe(true);
  });

  test('prefer ADMIN_SECRET from the environment', async () => {
    expect((await provideSecrets(folder, { ADMIN_SECRET: 'mine' })).ADMIN_SECRET).toBe('mine');
    expect((await provideSecrets(folder, { ADMIN_SECRET: '' })).ADMIN_SECRET).not.toBe('');
  });
});
