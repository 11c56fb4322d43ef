import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { ServiceName } from '@najwa/proto/http/client';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { clientNetwork, clientSite } from '../limits/client-network.js';
import { AppError } from '../errors/errors.js';

/** The gateway's identity token. It removes the header from client requests. */
export const IDENTITY_HEADER = 'x-najwa-identity';

/** Token of the way back for a form without scripts, derived from a secret of the form so that retries share it. */
export const WAY_BACK_HEADER = 'x-najwa-way-back';

const ALGORITHM = 'EdDSA';
const ISSUER = 'najwa-gateway';
const audienceOf = (service: ServiceName): string => `najwa-${service}`;
const LIFETIME_SECONDS = 60;

export interface Identity {
  user: { id: number; isAdmin: boolean; isModerator?: true; sessionId: string } | null;
  visitorId: string;
  /** No cookie: distinguished by address and browser. */
  visitorByAddress?: true;
  /** For limits and tags. A stand-in unless TRACKING is `full`. */
  ip: string;
  /** The part of the address that may be stored, if not all of it. */
  kept?: string;
}

/** Empty if no address may be stored. */
export const keptAddress = ({ ip, kept = ip }: Pick<Identity, 'ip' | 'kept'>): string => kept;

export const isStaff = ({ isAdmin, isModerator }: NonNullable<Identity['user']>): boolean =>
  isAdmin || isModerator === true;

/** Key for limits: the account, or a visitor's network, because cookies are easily replaced. */
export const senderKey = ({ user, ip }: Identity): string =>
  user ? `user ${user.id}` : `network ${clientNetwork(ip)}`;

/** Keys for shared work: the sender, and the site with which it shares turns. */
export const senderOf = (identity: Identity): { senderKey: string; senderSite: string } => ({
  senderKey: senderKey(identity),
  senderSite: clientSite(identity.ip),
});

export interface IdentitySigner {
  /** Valid for one minute at one service. */
  sign: (identity: Identity, service: ServiceName) => Promise<string>;
}

export interface IdentityVerifier {
  /**
   * @throws {AppError} `not_signed_in` if missing, forged or for another service; `unavailable` if expired, which says
   * nothing about the session
   */
  verify(token: string | undefined): Promise<Identity>;
}

const keyIdOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 16);

/** @param privateKey Ed25519, PKCS #8 PEM; only the gateway has it */
export function createIdentitySigner(privateKey: string): IdentitySigner {
  const key = createPrivateKey(privateKey);
  const kid = keyIdOf(createPublicKey(key));
  return {
    sign: ({ user, visitorId, visitorByAddress, ip, kept }, service) =>
      new SignJWT({
        vid: visitorId,
        ip,
        ...(kept !== undefined && { kept }),
        ...(visitorByAddress && { vad: true }),
        ...(user && { sid: user.sessionId, adm: user.isAdmin, ...(user.isModerator && { mod: true }) }),
      })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setIssuer(ISSUER)
        .setAudience(audienceOf(service))
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .setSubject(user ? String(user.id) : '')
        .sign(key),
  };
}

const claims = z.object({
  sub: z.string().regex(/^\d*$/),
  vid: z.string().min(1),
  ip: z.string(),
  kept: z.string().optional(),
  vad: z.literal(true).optional(),
  sid: z.string().optional(),
  adm: z.boolean().optional(),
  mod: z.literal(true).optional(),
  exp: z.number(),
});

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** @param publicKeys Ed25519, SPKI PEM; several in a row during a rotation */
export function createIdentityVerifier(publicKeys: string, service: ServiceName): IdentityVerifier {
  const audience = audienceOf(service);
  const keys = (publicKeys.match(PEM) ?? []).map((pem) => createPublicKey(pem));
  if (keys.length === 0) throw new Error('There is no public key of the gateway.');
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const remember = createTokenMemory<Identity>();
  const verify = async (token: string) => {
    const { kid = '' } = decodeProtectedHeader(token);
    const key = byId.get(kid);
    if (key === undefined) throw new Error('The key of the token is unknown.');
    const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], issuer: ISSUER, audience });
    const { sub, vid, ip, kept, vad, sid, adm, mod, exp } = claims.parse(payload);
    const user =
      sub === '' || sid === undefined
        ? null
        : { id: Number(sub), isAdmin: adm === true, ...(mod && { isModerator: mod }), sessionId: sid };
    const identity = {
      user,
      visitorId: vid,
      ip,
      ...(kept !== undefined && { kept }),
      ...(vad && { visitorByAddress: vad }),
    };
    return { claims: identity, expiresAt: exp * 1000 };
  };
  return {
    async verify(token = '') {
      try {
        return await remember(token, () => verify(token));
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          throw new AppError({
            code: 'unavailable',
            message: 'The request came too late from the gateway. Try again shortly.',
            cause: error,
          });
        throw new AppError({
          code: 'not_signed_in',
          message: 'The request did not come through the gateway.',
          cause: error,
        });
      }
    },
  };
}

interface VerifiedToken<Claims> {
  claims: Claims;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const MAX_TOKENS = 10_000;

/**
 * Caches verified tokens until they expire: a signature costs more than most requests. Refused ones are not cached.
 * @returns verifies or answers from memory; its key must hold the whole token and all else that matters, such as the
 * audience
 */
export function createTokenMemory<Claims>(
  now: () => number = Date.now,
): (key: string, verify: () => Promise<VerifiedToken<Claims>>) => Promise<Claims> {
  const known = new LRUCache<string, VerifiedToken<Claims>>({ max: MAX_TOKENS });
  /** A visitor's token comes once, so expired ones would fill the cache. */
  const dropExpired = (): void => {
    for (const key of known.rkeys()) {
      if (now() < (known.peek(key)?.expiresAt ?? 0)) return;
      known.delete(key);
    }
  };
  return async (key, verify) => {
    const remembered = known.get(key);
    if (remembered && now() < remembered.expiresAt) return remembered.claims;
    dropExpired();
    const verified = await verify();
    known.set(key, verified);
    return verified.claims;
  };
}
