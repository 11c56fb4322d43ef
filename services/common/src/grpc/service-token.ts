import { createPublicKey, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { Metrics } from '../metrics/metrics.js';
import { createTokenMemory } from '../identity/identity.js';

const ALGORITHM = 'EdDSA';
const LIFETIME_MS = 60_000;

/** Reused for half of their lifetime; the other half allows for clock differences. */
const REUSE_MS = LIFETIME_MS / 2;

export interface ServiceCaller {
  metrics?: Metrics;

  /** @param audience such as `najwa.auth.v1.AuthService` */
  tokenFor(audience: string): Promise<string>;
}

export interface CallerVerifier {
  /** @returns the caller's name. @throws if the token is missing, forged, expired or for another audience */
  verify(token: string | undefined, audience: string): Promise<string>;
}

export function createServiceCaller(service: string, privateKey: KeyObject, metrics?: Metrics): ServiceCaller {
  const tokens = new Map<string, { token: Promise<string>; renewAt: number }>();
  return {
    ...(metrics && { metrics }),
    tokenFor(audience) {
      const now = Date.now();
      const current = tokens.get(audience);
      if (current && now < current.renewAt) return current.token;
      const token = new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM, kid: service })
        .setIssuer(service)
        .setAudience(audience)
        .setExpirationTime(new Date(now + LIFETIME_MS))
        .sign(privateKey);
      tokens.set(audience, { token, renewAt: now + REUSE_MS });
      return token;
    },
  };
}

/** Ed25519 keys by service, several during a rotation. */
export type PublicKeys = ReadonlyMap<string, readonly KeyObject[]>;

export function createCallerVerifier(publicKeys: PublicKeys): CallerVerifier {
  const remember = createTokenMemory<string>();
  const verify = async (token: string, audience: string) => {
    const { kid: service = '' } = decodeProtectedHeader(token);
    for (const key of publicKeys.get(service) ?? []) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: service,
          audience,
          requiredClaims: ['exp'],
        });
        return { claims: service, expiresAt: Number(payload.exp) * 1000 };
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new Error('The token is signed with no known key of a caller.');
  };
  return {
    verify: (token = '', audience) => remember(`${audience} ${token}`, () => verify(token, audience)),
  };
}

/**
 * Parses `SERVICE_PUBLIC_KEYS`: `admin=MCowBQYDK2VwAyEA…,gateway=…`, base64 SPKI, repeated names for several keys.
 * @throws if malformed
 */
export function readPublicKeys(text: string): PublicKeys {
  const keys = new Map<string, KeyObject[]>();
  for (const entry of text.split(',')) {
    const [, service = '', content = ''] = /^\s*([a-z][a-z-]*)=(\S+)\s*$/.exec(entry) ?? [];
    const key = createPublicKey({ key: Buffer.from(content, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.');
    keys.set(service, [...(keys.get(service) ?? []), key]);
  }
  return keys;
}

/** @param key PEM of the private or public key */
export const publicKeyEntry = (service: string, key: string): string =>
  `${service}=${createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')}`;
