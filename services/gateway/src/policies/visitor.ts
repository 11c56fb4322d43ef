import { createHash, randomBytes } from 'node:crypto';
import { cookieAttributes } from '@najwa/common';
import type { CookieOptions, Request, RequestHandler } from 'express';
import { readCookie, VISITOR_COOKIE } from '../domain/cookies.js';
import { exchangeOf } from '../exchange.js';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** 128 bits in base64url. */
const COOKIE_VALUE = /^[A-Za-z0-9_-]{22}$/;

/** Destinations of a request that a person's own doing began, in contrast to the parts of a page. */
const SETTING = new Set([undefined, 'document', 'empty']);

const setsCookie = ({ method, headers }: Request): boolean =>
  method === 'GET' && SETTING.has(headers['sec-fetch-dest']);

const idOf = (kind: 'cookie' | 'address', ...parts: string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('base64url')
    .slice(0, 22);

/**
 * Tells visitors apart by a cookie that says nothing about them. One without it gets it with the first GET; until then
 * the address and the browser stand in, so that a submission that is repeated comes from the same sender.
 */
export function createVisitorPolicy(): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const { client } = exchange;
    const known = readCookie(request.headers.cookie, VISITOR_COOKIE);
    if (known !== undefined && COOKIE_VALUE.test(known)) {
      exchange.visitorId = idOf('cookie', known);
    } else if (setsCookie(request)) {
      const value = randomBytes(16).toString('base64url');
      const options: CookieOptions = { ...cookieAttributes(client.host), maxAge: YEAR_MS };
      response.cookie(VISITOR_COOKIE, value, options);
      exchange.visitorId = idOf('cookie', value);
    } else {
      exchange.visitorId = idOf('address', client.address, request.headers['user-agent'] ?? '');
    }
    next();
  };
}
