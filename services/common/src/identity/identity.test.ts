import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import {
  createIdentitySigner,
  createIdentityVerifier,
  createTokenMemory,
  senderKey,
  type Identity,
} from './identity.js';

function keyPair() {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

const owner: Identity = { user: { id: 7, isAdmin: false, sessionId: 'b5a7' }, visitorId: 'v1', ip: '192.0.2.7' };

describe('identity token', () => {
  test.each<[string, Identity]>([
    ['a user', owner],
    ['an administrator', { ...owner, user: { id: 1, isAdmin: true, sessionId: 'c6' } }],
    ['a moderator', { ...owner, user: { id: 2, isAdmin: false, isModerator: true, sessionId: 'd7' } }],
    ['a visitor', { user: null, visitorId: 'v2', ip: '2001:db8::1' }],
  ])('carries %s from the gateway to a service', async (_name, identity) => {
    const { privateKey, publicKey } = keyPair();
    const token = await createIdentitySigner(privateKey).sign(identity, 'messages');
    await expect(createIdentityVerifier(publicKey, 'messages').verify(token)).resolves.toEqual(identity);
  });

  // Threat model: http-1.
  test('an identity token is refused when signed with another key', async () => {
    const token = await createIdentitySigner(keyPair().privateKey).sign(owner, 'messages');
    await expect(createIdentityVerifier(keyPair().publicKey, 'messages').verify(token)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  test.each([undefined, '', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'])('is refused when it is %p', async (token) => {
    await expect(createIdentityVerifier(keyPair().publicKey, 'messages').verify(token)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  test('an identity token is accepted from the old and the new key during a rotation, and from no other', async () => {
    const [old, next, other] = [keyPair(), keyPair(), keyPair()];
    const verifier = createIdentityVerifier(`${old.publicKey}${next.publicKey}`, 'messages');
    for (const { privateKey } of [old, next])
      await expect(verifier.verify(await createIdentitySigner(privateKey).sign(owner, 'messages'))).resolves.toEqual(
        owner,
      );
    await expect(
      verifier.verify(await createIdentitySigner(other.privateKey).sign(owner, 'messages')),
    ).rejects.toMatchObject({
      code: 'not_signed_in',
    });
    const finished = createIdentityVerifier(next.publicKey, 'messages');
    await expect(
      finished.verify(await createIdentitySigner(old.privateKey).sign(owner, 'messages')),
    ).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  // Threat model: http-2.
  test('an identity token is refused at another service', async () => {
    const { privateKey, publicKey } = keyPair();
    const token = await createIdentitySigner(privateKey).sign(owner, 'admin');
    await expect(createIdentityVerifier(publicKey, 'admin').verify(token)).resolves.toEqual(owner);
    await expect(createIdentityVerifier(publicKey, 'messages').verify(token)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  // Threat model: http-1.
  test('an identity token that expired on the way is retryable and does not end the session', async () => {
    const { privateKey, publicKey } = keyPair();
    const signing = createIdentitySigner(privateKey);
    jest.useFakeTimers({ now: Date.now() - 61_000 });
    const stale = await signing.sign(owner, 'messages').finally(() => jest.useRealTimers());
    await expect(createIdentityVerifier(publicKey, 'messages').verify(stale)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

test('addresses within one IPv6 network share a sender key', () => {
  const keyOf = (ip: string): string => senderKey({ user: null, visitorId: 'v1', ip });
  expect(keyOf('2001:db8:1:2:a::1')).toBe(keyOf('2001:db8:1:2:b::2'));
  expect(keyOf('2001:db8:1:2::1')).not.toBe(keyOf('2001:db8:1:3::1'));
});

const verified = (claims: string, expiresAt: number) => () => Promise.resolve({ claims, expiresAt });
const refused = () => Promise.reject(new Error('refused'));

test('a verified token is verified once', async () => {
  const remember = createTokenMemory<string>(() => 0);
  await remember('a', verified('from a', 1_000));
  await expect(remember('a', refused)).resolves.toBe('from a');
});

test('a token is verified again after it has expired', async () => {
  let now = 0;
  const remember = createTokenMemory<string>(() => now);
  await remember('a', verified('from a', 1_000));
  now = 1_000;
  await expect(remember('a', refused)).rejects.toThrow('refused');
});

test('another token is verified by itself', async () => {
  const remember = createTokenMemory<string>(() => 0);
  await remember('a', verified('from a', 1_000));
  await expect(remember('b', refused)).rejects.toThrow('refused');
});

test('a refused token is not remembered', async () => {
  const remember = createTokenMemory<string>(() => 0);
  await expect(remember('a', refused)).rejects.toThrow('refused');
  await expect(remember('a', verified('from a', 1_000))).resolves.toBe('from a');
});
