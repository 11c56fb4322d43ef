import { IDENTITY_HEADER, matchesEntityTag, REQUEST_ID_HEADER, type Identity } from '@najwa/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Upstreams } from '../clients/upstreams.js';
import { headersForClient } from '../domain/http-headers.js';
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

/** The service is asked on nobody's behalf: the answer is for everybody. */
const NOBODY: Identity = { user: null, visitorId: 'edge', ip: '' };

/** The gateway says these itself; the length changes with a HEAD and a 304. */
const OWN_HEADERS = new Set(['cache-control', 'content-length', 'date', 'etag', 'last-modified', 'set-cookie', 'vary']);

function answerWith(request: Request, response: Response, answer: PublicAnswer): void {
  const { status, headers, body, entityTag } = answer;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (status === 200) {
    // A browser asks each time, and mostly hears that nothing has changed: it cannot hear events.
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

/** Showing a profile is a visit; the first page of messages comes with it and is none of its own. */
function noteVisit(
  visits: Visits,
  key: string | undefined,
  request: Request,
  response: Response,
  answer: PublicAnswer,
): void {
  if (request.method !== 'GET' || !key?.startsWith(PROFILE_KEY)) return;
  const { cookie, 'user-agent': userAgent } = request.headers;
  visits.note(key, answer, { cookie, userAgent, address: exchangeOf(response).client.address });
}

/** What may be asked for in this way; other methods on the same paths are other calls. */
const READS = new Set(['GET', 'HEAD']);

export interface EdgeMemoryDeps {
  answers: Pick<PublicAnswers, 'peek'>;
  visits: Visits;
  /** What a request must pass before it gets a remembered answer. */
  admission: RequestHandler;
}

/**
 * Answers a public read from memory, ahead of everything that a request to a service goes through: routing it would take
 * longer than answering it. What is not remembered goes on to the pipeline, where the edge-cache policy fetches it.
 */
export function createEdgeMemory({ answers, visits, admission }: EdgeMemoryDeps): RequestHandler {
  return (request, response, next) => {
    const key = READS.has(request.method) ? publicReadOf(request.url)?.key : undefined;
    const remembered = key === undefined ? undefined : answers.peek(key);
    if (remembered === undefined) {
      next();
      return;
    }
    exchangeOf(response).endpoint = 'public-reads';
    admission(request, response, (error?: unknown) => {
      if (error !== undefined) {
        next(error);
        return;
      }
      answerWith(request, response, remembered);
      noteVisit(visits, key, request, response, remembered);
    });
  };
}

/**
 * Fetches what a public read asks for, once for all who ask meanwhile, and remembers it. Public pages look the same to
 * everybody, so that no session is looked up for them, and the service is asked on nobody's behalf.
 */
export function createEdgeCache({ answers, visits, upstreams, sign }: EdgeCacheDeps): RequestHandler {
  const ask = async ({ service, path }: PublicRead, requestId: string): Promise<PublicAnswer> => {
    const { statusCode, headers, body } = await upstreams.read(service, {
      path,
      headers: { accept: 'application/json', [IDENTITY_HEADER]: await sign(NOBODY), [REQUEST_ID_HEADER]: requestId },
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
    const fetch = () => ask(read, exchangeOf(response).requestId);
    const answer = read.key === undefined ? fetch() : answers.load(read.key, fetch);
    answer
      .then((found) => {
        answerWith(request, response, found);
        noteVisit(visits, read.key, request, response, found);
      })
      .catch(next);
  };
}
