import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { matchesEntityTag, REQUEST_ID_HEADER } from '@najwa/common';
import { accepts } from '../domain/compression.js';
import type { Form, PublicAnswer } from '../public/answer.js';
import type { Found } from '../domain/tagged-cache.js';
import type { Site } from '../domain/sites.js';
import { newToken } from '../domain/tokens.js';
import { apiHeadersFor, pageHeadersFor } from './answers.js';

/** The forms of an answer that are sent to a browser, with everything but what belongs to one request. */
interface Heads {
  complete: OutgoingHttpHeader[];
  notModified: OutgoingHttpHeader[];
}

const REQUEST_ID_AT = 1;
const SECURE = 1;

/** Prepared heads, without and with the headers of a secure site. They live as long as the form of the answer. */
const prepared = new WeakMap<Form, [Heads | undefined, Heads | undefined]>();

function prepare({ status, headers, compressed }: PublicAnswer, form: Form, isPage: boolean, isSecure: boolean): Heads {
  const { encoding, entityTag, body, end } = form;
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual = isPage ? pageHeadersFor(isSecure) : apiHeadersFor(isSecure);
  const always = [
    REQUEST_ID_HEADER,
    '',
    ...usual.filter(([name]) => !own.has(name.toLowerCase())).flat(),
    ...(compressed.length > 0 ? ['Vary', 'Accept-Encoding'] : []),
    // Browsers get no events, so they revalidate each time and mostly get a 304. A page sets the cookie of a new visitor,
    // which a cache that visitors share would give to all.
    ...(status === 200
      ? ['Cache-Control', isPage ? 'private, no-cache' : 'no-cache', 'ETag', entityTag]
      : ['Cache-Control', 'no-store']),
  ];
  return {
    complete: [
      ...always,
      ...headers.flat(),
      ...(encoding ? ['Content-Encoding', encoding] : []),
      'Content-Length',
      String(body.length + (end?.length ?? 0)),
    ],
    notModified: [...always, ...headers.filter(([name]) => name !== 'content-type').flat()],
  };
}

function headsOf(answer: PublicAnswer, form: Form, isPage: boolean, isSecure: boolean): Heads {
  let both = prepared.get(form);
  if (both === undefined) prepared.set(form, (both = [undefined, undefined]));
  return (both[isSecure ? SECURE : 0] ??= prepare(answer, form, isPage, isSecure));
}

function formFor({ plain, compressed }: PublicAnswer, acceptEncoding: string | undefined): Form {
  if (acceptEncoding === undefined) return plain;
  for (const form of compressed) if (form.encoding && accepts(form.encoding, acceptEncoding)) return form;
  return plain;
}

/** Tells caches and people that a service is away (RFC 9211). */
const STALE = ['Cache-Status', 'najwa; hit; ttl=-1; detail=unconfirmed'];

export interface Reply {
  found: Found;
  site: Site;
  requestId: string;
  isPage: boolean;
  /** Value of Set-Cookie. */
  cookie?: string | undefined;
}

/** Sends a public answer in the form that the client accepts, or 304. @returns the status */
export function sendPublicAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { found: { answer, isStale }, site, requestId, isPage, cookie }: Reply,
): number {
  const { headers, method } = request;
  const form = formFor(answer, headers['accept-encoding']);
  const heads = headsOf(answer, form, isPage, site.isSecure);
  const ifNoneMatch = headers['if-none-match'];
  const isKnown = ifNoneMatch !== undefined && answer.status === 200 && matchesEntityTag(ifNoneMatch, form.entityTag);
  let head = isKnown ? heads.notModified : heads.complete;
  head[REQUEST_ID_AT] = requestId;
  if (isStale) head = [...head, ...STALE];
  if (cookie !== undefined) head = [...head, 'Set-Cookie', cookie];
  const status = isKnown ? 304 : answer.status;
  response.writeHead(status, head);
  if (isKnown || method === 'HEAD') response.end();
  else response.end(form.end === undefined ? form.body : form.body + form.end.write(newToken()), 'latin1');
  return status;
}
