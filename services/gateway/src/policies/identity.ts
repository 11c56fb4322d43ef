import type { Identity, IdentitySigner } from '@najwa/common';
import type { RequestHandler } from 'express';
import { createFreshCache } from '../domain/fresh-cache.js';
import { exchangeOf } from '../exchange.js';

/** Half of a token's life, so that it is still good when the service reads it. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 10_000;

/** Signs tokens, each once for as long as the same person asks. */
export function createTokenSource(signer: IdentitySigner): (identity: Identity) => Promise<string> {
  const tokens = createFreshCache<string>({ maxSize: MAX_TOKENS, lifetimeMs: () => REUSE_MS, tagsOf: () => [] });
  return (identity) => tokens.load(JSON.stringify(identity), () => signer.sign(identity));
}

/** Writes down who makes the request, in a form that a service can trust. Behind the session and visitor policies. */
export function createIdentityPolicy({ sign }: { sign: (identity: Identity) => Promise<string> }): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { session, visitorId, client } = exchange;
    if (visitorId === undefined) throw new Error('The visitor policy comes before the identity policy.');
    const user = session && { id: session.userId, isAdmin: session.isAdmin, sessionId: session.sessionId };
    sign({ user, visitorId, ip: client.address }).then((token) => {
      exchange.identityToken = token;
      next();
    }, next);
  };
}
