import {
  IDENTITY_HEADER,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
  type Identity,
  type IdentitySigner,
} from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { UpstreamAnswer, Upstreams } from '../clients/upstreams.js';
import { headersForClient } from '../domain/headers.js';
import { profileTag, publicAnswer, type Headers, type PublicAnswer } from '../public/answer.js';
import type { Cause, Found, PublicMemory } from '../domain/tagged-cache.js';
import { publicReadOf, type PublicRead } from '../public/reads.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import type { Visits } from '../domain/visits.js';
import { exchangeOf } from '../exchange.js';
import { sendPublicAnswer } from './public-answer.js';

/** Reads what is the same for everyone, from memory or from its service. */
export type ReadPublic = (read: PublicRead, cause: Cause | undefined) => Promise<Found>;

export interface ReadPublicDeps {
  memory: Pick<PublicMemory, 'load'>;
  upstreams: Upstreams;
  sign: IdentitySigner['sign'];
}

/** Public reads are made without a caller, since their answer is for everyone. */
export const ANONYMOUS: Identity = { user: null, visitorId: 'edge', ip: '' };

/** The gateway sets these itself. */
const OWN_HEADERS = new Set([
  'accept-ranges',
  'cache-control',
  'content-length',
  'date',
  'etag',
  'last-modified',
  'set-cookie',
  'vary',
]);

/** The headers of a service's answer that are part of what is remembered. */
export const passedHeaders = (headers: UpstreamAnswer['headers']): Headers =>
  Object.entries(headersForClient(headers)).filter(([name]) => !OWN_HEADERS.has(name));

const profile = z.object({ id: z.number() });

/** The id of the account in an answer of `getPublicUser`. */
function accountIn(body: Buffer): number | undefined {
  try {
    return profile.parse(JSON.parse(body.toString('utf8'))).id;
  } catch {
    return undefined;
  }
}

export function createReadPublic({ memory, upstreams, sign }: ReadPublicDeps): ReadPublic {
  const fetch = async (
    { operation, service, path, tag }: PublicRead,
    cause: Cause | undefined,
  ): Promise<PublicAnswer> => {
    const step = cause?.span?.child(service, 'client');
    const { statusCode, headers, body } = await upstreams.read(service, {
      path,
      headers: {
        accept: 'application/json',
        [IDENTITY_HEADER]: await sign(ANONYMOUS, service),
        ...(cause && { [REQUEST_ID_HEADER]: cause.requestId }),
        ...(step && { [TRACEPARENT_HEADER]: step.traceparent }),
      },
      step,
    });
    const visited = operation === 'getPublicUser' && statusCode === 200 ? accountIn(body) : undefined;
    const tags = visited === undefined ? (tag === undefined ? [] : [tag]) : [profileTag(visited)];
    return publicAnswer({ operation, status: statusCode, headers: passedHeaders(headers), body, tags, visited });
  };
  return async (read, cause) =>
    read.tag === undefined
      ? { answer: await fetch(read, cause), isStale: false }
      : memory.load(read.path, { tags: [read.tag], fetch: (fill) => fetch(read, fill.cause) }, cause);
}

export interface EdgeCacheDeps {
  readPublic: ReadPublic;
  visits: Visits;
  siteOf: (origin: RequestOrigin) => Site;
}

/**
 * Answers a public read that is not remembered. Public reads look the same to everyone, so the session cookie is not
 * resolved. Showing a profile is a visit. Its messages are part of the same visit.
 */
export function createEdgeCache({ readPublic, visits, siteOf }: EdgeCacheDeps): RequestHandler {
  return (request, response, next) => {
    const read = publicReadOf(request.originalUrl);
    if (read === undefined) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    exchange.endpoint = read.operation;
    const { requestId, origin } = exchange;
    readPublic(read, exchange)
      .then((found) => {
        sendPublicAnswer(request, response, { found, site: siteOf(origin), requestId, isPage: false });
        const { visited } = found.answer;
        const { cookie, 'user-agent': userAgent } = request.headers;
        if (visited !== undefined && request.method === 'GET')
          visits.note(visited, { cookie, userAgent, network: origin.network });
      })
      .catch(next);
  };
}
