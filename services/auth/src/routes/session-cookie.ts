import { cookieAttributes, FORWARDED_HOST_HEADER, SESSION_COOKIE } from '@najwa/common';
import type { Request, Response } from 'express';

/** The longest that browsers keep a cookie. The session's own end, which moves with its use, is the server's to decide. */
const COOKIE_MAX_AGE_MS = 400 * 24 * 60 * 60 * 1000;

export function setSessionCookie(request: Request, response: Response, token: string): void {
  response.cookie(SESSION_COOKIE, token, {
    ...cookieAttributes(request.get(FORWARDED_HOST_HEADER)),
    maxAge: COOKIE_MAX_AGE_MS,
  });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(SESSION_COOKIE, cookieAttributes(request.get(FORWARDED_HOST_HEADER)));
}
