import { generateKeyPairSync } from 'node:crypto';
import { createIdentitySigner, createIdentityVerifier, type Identity } from '@najwa/common';
import { expect, jest, test } from '@jest/globals';
import { runPolicy } from '../../tests/support/policy.js';
import { createIdentityPolicy, createTokenSource } from './identity.js';

const keys = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

test('writes down who asks, so that a service can check it', async () => {
  const policy = createIdentityPolicy({ sign: createTokenSource(await createIdentitySigner(keys.privateKey)) });
  const verifier = await createIdentityVerifier(keys.publicKey);
  const visitor = await runPolicy(policy, { exchange: { visitorId: 'v' } });
  expect(await verifier.verify(visitor.exchange.identityToken)).toEqual({
    user: null,
    visitorId: 'v',
    ip: '192.0.2.1',
  });
  const user = await runPolicy(policy, {
    exchange: { visitorId: 'v', session: { userId: 7, isAdmin: true, sessionId: 's' } },
  });
  expect(await verifier.verify(user.exchange.identityToken)).toEqual({
    user: { id: 7, isAdmin: true, sessionId: 's' },
    visitorId: 'v',
    ip: '192.0.2.1',
  });
});

test('signs once for the same person, and anew for another', async () => {
  const sign = jest.fn((identity: Identity) =>
    Promise.resolve(`token of ${identity.visitorId} ${identity.user?.sessionId}`),
  );
  const tokenOf = createTokenSource({ sign });
  const visitor: Identity = { user: null, visitorId: 'v', ip: '192.0.2.1' };
  await Promise.all(Array.from({ length: 20 }, () => tokenOf(visitor)));
  expect(sign).toHaveBeenCalledTimes(1);
  expect(await tokenOf({ ...visitor, user: { id: 7, isAdmin: false, sessionId: 's' } })).toBe('token of v s');
  expect(await tokenOf({ ...visitor, visitorId: 'w' })).toBe('token of w undefined');
});
