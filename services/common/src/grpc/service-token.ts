import { createPublicKey, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'EdDSA';
const LIFETIME_MS = 60_000;

/** Tokens are reused for half of their lifetime. The other half allows for clock differences. */
const REUSE_MS = LIFETIME_MS / 2;

/** Creates tokens that identify the calling service. */
export interface ServiceCaller {
  /** @param audience full name of the called gRPC service, for example `najwa.auth.v1.AuthService` */
  tokenFor(audience: string): Promise<string>;
}

/** Verifies the tokens of calling services. */
export interface CallerVerifier {
  /** @returns the caller's name. @throws if the token is missing, forged, expired or has another audience */
  verify(token: string | undefined, audience: string): Promise<string>;
}

/** @param privateKey Ed25519 private key of this service */
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

/** @param publicKeys Ed25519 public key of each service, by service name */
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
 * Parses `SERVICE_PUBLIC_KEYS`, for example `admin=MCowBQYDK2VwAyEA…,gateway=MCowBQYDK2VwAyEA…`: base64 SPKI, as in the
 * body of a PEM.
 * @throws if the format is invalid
 */
export function readPublicKeys(text: string): Map<string, KeyObject> {
  return new Map(
    text.split(',').map((entry) => {
      const [, service = '', content = ''] = /^\s*([a-z][a-z-]*)=(\S+)\s*$/.exec(entry) ?? [];
      const key = createPublicKey({ key: Buffer.from(content, 'base64'), format: 'der', type: 'spki' });
      if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.');
      return [service, key];
    }),
  );
}

/**
 * Formats the `SERVICE_PUBLIC_KEYS` entry of a service.
 * @param key PEM of the private or public key
 */
export const publicKeyEntry = (service: string, key: string): string =>
  `${service}=${createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')}`;
