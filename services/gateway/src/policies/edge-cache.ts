import { IDENTITY_HEADER, matchesEntityTag, REQUEST_ID_HEADER, type Identity } from '@najwa/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Upstreams } from '../clients/upstreams.js';
import { headersForClient } from '../domain/headers.js';
import { publicAnswer, type PublicAnswer, type PublicAnswers } from '../domain/public-answers.js';
import { PROFILE_KEY, publicReadOf, type PublicRead } from '../domain/public-reads.js';
import type { Visits } from '../domain/visits.js';
import { exchangeOf } from '../exchange.js';

export interface EdgeCacheDeps {
  answers: PublicAnswers;
  visits: Visits;
  upstreams: Upstreams;
  sign: (identity: Identity) => Promise<string>;
}

/** Public reads are made without a caller, since their answer is for everyone. */
const ANONYMOUS: Identity = { user: null, visitorId: 'edge', ip: '' };

/** The gateway sets these itself. */
const OWN_HEADERS = new Set(['cache-control', 'content-length', 'date', 'etag', 'last-modified', 'set-cookie', 'vary']);

function answerWith(request: Request, response: Response, answer: PublicAnswer): void {
  const { status, headers, body, entityTag } = answer;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (status === 200) {
    // Browsers get no events, so they revalidate each time and mostly get a 304.
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', entityTag);
    const ifNoneMatch = request.headers['if-none-match'];
    if (matchesEntityTag(ifNoneMatch, entityTag)) {
      response.removeHeader('Content-Type');
      response.statusCode = 304;
      response.end();
      return;
    }
  } else {
    response.setHeader('Cache-Control', 'no-store');
  }
  response.statusCode = status;
  response.setHeader('Content-Length', body.length);
  if (request.method === 'HEAD') response.end();
  else response.end(body, 'latin1');
}

/** Showing a profile is a visit. Its messages are part of the same visit. */
function noteVisit(
  visits: Visits,
  key: string | undefined,
  request: Request,
  response: Response,
  answer: PublicAnswer,
): void {
  if (request.method !== 'GET' || !key?.startsWith(PROFILE_KEY)) return;
  const { cookie, 'user-agent': userAgent } = request.headers;
  visits.note(key, answer, { cookie, userAgent, network: exchangeOf(response).origin.network });
}

const READ_METHODS = new Set(['GET', 'HEAD']);

export interface CachedAnswersDeps {
  answers: Pick<PublicAnswers, 'peek'>;
  visits: Visits;
  /** Runs before a cached answer is given. */
  admission: RequestHandler;
}

/**
 * Answers public reads from the cache, ahead of Express Gateway: routing would take longer than answering. Other reads
 * go on to the pipeline, where the edge-cache policy fetches them.
 */
export function createCachedAnswers({ answers, visits, admission }: CachedAnswersDeps): RequestHandler {
  return (request, response, next) => {
    const key = READ_METHODS.has(request.method) ? publicReadOf(request.url)?.key : undefined;
    const cached = key === undefined ? undefined : answers.peek(key);
    if (cached === undefined) {
      next();
      return;
    }
    exchangeOf(response).endpoint = 'public-reads';
    admission(request, response, (error?: unknown) => {
      if (error !== undefined) {
        next(error);
        return;
      }
      answerWith(request, response, cached);
      noteVisit(visits, key, request, response, cached);
    });
  };
}

/**
 * Fetches a public read and caches it. Requests that arrive meanwhile share the fetch. Public pages look the same to
 * everyone, so the session cookie is not resolved.
 */
export function createEdgeCache({ answers, visits, upstreams, sign }: EdgeCacheDeps): RequestHandler {
  const fetchAnswer = async ({ service, path }: PublicRead, requestId: string): Promise<PublicAnswer> => {
    const { statusCode, headers, body } = await upstreams.read(service, {
      path,
      headers: { accept: 'application/json', [IDENTITY_HEADER]: await sign(ANONYMOUS), [REQUEST_ID_HEADER]: requestId },
    });
    const passed = Object.entries(headersForClient(headers)).filter(([name]) => !OWN_HEADERS.has(name));
    return publicAnswer(statusCode, passed, body);
  };

  return (request, response, next) => {
    const read = publicReadOf(request.originalUrl);
    if (read === undefined) {
      next();
      return;
    }
    const fetch = () => fetchAnswer(read, exchangeOf(response).requestId);
    const answer = read.key === undefined ? fetch() : answers.load(read.key, fetch);
    answer
      .then((found) => {
        answerWith(request, response, found);
        noteVisit(visits, read.key, request, response, found);
      })
      .catch(next);
  };
}
