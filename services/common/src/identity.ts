import { importPKCS8, importSPKI, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { clientNetwork } from './client-network.js';
import { AppError } from './errors.js';

/** Header with the identity token that the gateway sends to services. The gateway removes it from client requests. */
export const IDENTITY_HEADER = 'x-najwa-identity';

const ALGORITHM = 'EdDSA';
const ISSUER = 'najwa-gateway';
const AUDIENCE = 'najwa-services';
const LIFETIME_SECONDS = 60;

/** Identity of the caller, as determined by the gateway. */
export interface Identity {
  /** Account of the session, or null for a visitor. */
  user: { id: number; isAdmin: boolean; sessionId: string } | null;
  /** Distinguishes visitors without identifying them. */
  visitorId: string;
  /** Client address behind the trusted proxies. */
  ip: string;
}

/** Sender key of limits: the account, or the network of a visitor, because cookies are easily replaced. */
export const senderKey = ({ user, ip }: Identity): string =>
  user ? `user ${user.id}` : `network ${clientNetwork(ip)}`;

export interface IdentitySigner {
  /** Signs a token that is valid for one minute. */
  sign(identity: Identity): Promise<string>;
}

export interface IdentityVerifier {
  /** @throws {AppError} `not_signed_in` if the token is missing, forged or expired */
  verify(token: string | undefined): Promise<Identity>;
}

/** @param privateKey Ed25519, PKCS #8 PEM. Only the gateway has it. */
export async function createIdentitySigner(privateKey: string): Promise<IdentitySigner> {
  const key = await importPKCS8(privateKey, ALGORITHM);
  return {
    sign: ({ user, visitorId, ip }) =>
      new SignJWT({ vid: visitorId, ip, ...(user && { sid: user.sessionId, adm: user.isAdmin }) })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .setSubject(user ? String(user.id) : '')
        .sign(key),
  };
}

const claims = z.object({
  sub: z.string().regex(/^\d*$/),
  vid: z.string().min(1),
  ip: z.string(),
  sid: z.string().optional(),
  adm: z.boolean().optional(),
});

/** @param publicKey Ed25519, SPKI PEM. */
export async function createIdentityVerifier(publicKey: string): Promise<IdentityVerifier> {
  const key = await importSPKI(publicKey, ALGORITHM);
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token ?? '', key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
        });
        const { sub, vid, ip, sid, adm } = claims.parse(payload);
        return {
          user: sub === '' || sid === undefined ? null : { id: Number(sub), isAdmin: adm === true, sessionId: sid },
          visitorId: vid,
          ip,
        };
      } catch (error) {
        throw new AppError({
          code: 'not_signed_in',
          message: 'The request did not come through the gateway.',
          cause: error,
        });
      }
    },
  };
}
