import { importPKCS8, importSPKI, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { clientNetwork } from './client-network.js';
import { AppError } from './errors.js';

/** Header in which the gateway hands a service the identity token. The gateway removes one that a client sends. */
export const IDENTITY_HEADER = 'x-najwa-identity';

const ALGORITHM = 'EdDSA';
const ISSUER = 'najwa-gateway';
const AUDIENCE = 'najwa-services';
const LIFETIME_SECONDS = 60;

/** Who makes a request, as the gateway found out. */
export interface Identity {
  /** The account of the session, or null for a visitor. */
  user: { id: number; isAdmin: boolean; sessionId: string } | null;
  /** Tells visitors apart without saying who they are. */
  visitorId: string;
  /** The client's address behind the trusted proxies. */
  ip: string;
}

/** The key by which limits count a sender: the account, or a visitor's network, since a cookie is easily replaced. */
export const senderKey = ({ user, ip }: Identity): string =>
  user ? `user ${user.id}` : `network ${clientNetwork(ip)}`;

export interface IdentitySigner {
  /** A token that is good for a minute. */
  sign(identity: Identity): Promise<string>;
}

export interface IdentityVerifier {
  /** @throws {AppError} `not_signed_in` when the token is missing, forged or too old. */
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
