import { cookieAttributes } from '@najwa/common/http';
import { COOKIES } from '@najwa/proto/http/client';
import type { Request, RequestHandler } from 'express';
import { readLanguageLink } from '../domain/page-links.js';
import { exchangeOf } from '../exchange.js';
import { isOwnOrigin } from './admission.js';
import { redirect } from './answers.js';

const { name: COOKIE, days } = COOKIES.language;
const MAX_AGE_SECONDS = days * 24 * 60 * 60;

/** The link drops the page's query, such as the form that `/auth` shows. */
function pageOf({ headers: { referer } }: Request, path: string, host: string): string {
  if (referer === undefined || !isOwnOrigin(referer, host)) return path;
  const { pathname, search } = new URL(referer);
  return pathname === path ? path + search : path;
}

/** Sets the language cookie without scripts and reloads the page. Ignores links on other sites. */
export function createLanguageLink(): RequestHandler {
  return (request, response, next) => {
    const link = readLanguageLink(request.originalUrl);
    if (link === undefined) {
      next();
      return;
    }
    const { origin } = exchangeOf(response);
    const secure = cookieAttributes(origin.host).secure ? '; Secure' : '';
    if (request.headers['sec-fetch-site'] !== 'cross-site')
      response.appendHeader(
        'Set-Cookie',
        `${COOKIE}=${link.language}; Max-Age=${MAX_AGE_SECONDS}; Path=/; SameSite=Lax${secure}`,
      );
    redirect(response, pageOf(request, link.path, origin.host));
  };
}
