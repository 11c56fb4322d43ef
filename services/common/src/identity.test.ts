import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { SignJWT, importPKCS8 } from 'jose';
import { createIdentitySigner, createIdentityVerifier, senderKey, type Identity } from './identity.js';

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
    ['a visitor', { user: null, visitorId: 'v2', ip: '2001:db8::1' }],
  ])('carries %s from the gateway to a service', async (_name, identity) => {
    const { privateKey, publicKey } = keyPair();
    const token = await (await createIdentitySigner(privateKey)).sign(identity);
    await expect((await createIdentityVerifier(publicKey)).verify(token)).resolves.toEqual(identity);
  });

  test('is refused when signed with another key', async () => {
    const token = await (await createIdentitySigner(keyPair().privateKey)).sign(owner);
    await expect((await createIdentityVerifier(keyPair().publicKey)).verify(token)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  test.each([undefined, '', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'])('is refused when it is %p', async (token) => {
    await expect((await createIdentityVerifier(keyPair().publicKey)).verify(token)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  test('is refused when it has expired', async () => {
    const { privateKey, publicKey } = keyPair();
    const stale = await new SignJWT({ vid: 'v', ip: '' })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer('najwa-gateway')
      .setAudience('najwa-services')
      .setSubject('')
      .setExpirationTime(Math.floor(Date.now() / 1000) - 1)
      .sign(await importPKCS8(privateKey, 'EdDSA'));
    await expect((await createIdentityVerifier(publicKey)).verify(stale)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });
});

test('addresses within one IPv6 network share a sender key', () => {
  const keyOf = (ip: string): string => senderKey({ user: null, visitorId: 'v1', ip });
  expect(keyOf('2001:db8:1:2:a::1')).toBe(keyOf('2001:db8:1:2:b::2'));
  expect(keyOf('2001:db8:1:2::1')).not.toBe(keyOf('2001:db8:1:3::1'));
});
