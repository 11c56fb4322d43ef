import { createPublicKey, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'EdDSA';
const LIFETIME_MS = 60_000;

/** A token is used for half of its lifetime, so that clocks may differ by the other half. */
const REUSE_MS = LIFETIME_MS / 2;

/** Proves to other services which service calls. */
export interface ServiceCaller {
  /** @param audience full name of the gRPC service that is called, such as `najwa.auth.v1.AuthService` */
  tokenFor(audience: string): Promise<string>;
}

/** Finds out which service calls. */
export interface CallerVerifier {
  /** @returns the caller's name. @throws when the token is missing, forged, expired or meant for another service */
  verify(token: string | undefined, audience: string): Promise<string>;
}

/** @param privateKey Ed25519, of this service alone */
export function createServiceCaller(service: string, privateKey: KeyObject): ServiceCaller {
  const tokens = new Map<string, { token: Promise<string>; renewAt: number }>();
  return {
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

/** @param publicKeys the Ed25519 key of each service, by its name */
export function createCallerVerifier(publicKeys: ReadonlyMap<string, KeyObject>): CallerVerifier {
  return {
    async verify(token = '', audience) {
      const { kid: service = '' } = decodeProtectedHeader(token);
      const key = publicKeys.get(service);
      if (key === undefined) throw new Error('The caller is unknown.');
      await jwtVerify(token, key, { algorithms: [ALGORITHM], issuer: service, audience, requiredClaims: ['exp'] });
      return service;
    },
  };
}

/**
 * Reads `SERVICE_PUBLIC_KEYS`, such as `admin=MCowBQYDK2VwAyEA…,gateway=MCowBQYDK2VwAyEA…`: SPKI in base64, as between the
 * lines of a PEM.
 * @throws when it is anything else
 */
export function readPublicKeys(text: string): Map<string, KeyObject> {
  return new Map(
    text.split(',').map((entry) => {
      const [, service = '', content = ''] = /^\s*([a-z][a-z-]*)=(\S+)\s*$/.exec(entry) ?? [];
      const key = createPublicKey({ key: Buffer.from(content, 'base64'), format: 'der', type: 'spki' });
      if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is no Ed25519 key.');
      return [service, key];
    }),
  );
}

/** The entry of a service in `SERVICE_PUBLIC_KEYS`. @param key PEM of the service's private or public key */
export const publicKeyEntry = (service: string, key: string): string =>
  `${service}=${createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')}`;
