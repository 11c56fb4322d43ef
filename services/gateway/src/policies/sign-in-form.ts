import { AppError } from '@najwa/common/errors';
import { cookieAttributes } from '@najwa/common/http';
import type { IdentitySigner } from '@najwa/common/identity';
import { widestOf, type ArrivalRules } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { LIMITS } from '@najwa/proto/http/client';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { WholeAnswer } from '../clients/upstreams.js';
import { readSessionToken, readVisitorCookie } from '../domain/headers.js';
import { matchOperation } from '../domain/operations.js';
import { collectBody } from '../domain/request-body.js';
import type { Sessions } from '../domain/sessions.js';
import { exchangeOf, logIdsOf, type Exchange } from '../exchange.js';
import { readerLanguage, type PublicPages, type SignInData } from '../rendering/index.js';
import { answerPage, redirect } from './answers.js';
import { createFormPolicy, type PageForm } from './form-policy.js';
import { identityOf } from './identity.js';
import {
  createServiceCalls,
  errorOf,
  sha256,
  toServiceError,
  withPlainBreaks,
  type ServiceCallDeps,
} from './service-calls.js';

export interface SignInFormDeps extends ServiceCallDeps {
  pages: PublicPages;
  sessions: Pick<Sessions, 'find'>;
  sign: IdentitySigner['sign'];
  arrival: ArrivalRules;
  logger: Logger;
}

type Kind = 'login' | 'register' | 'logout';

const PAGES = { login: '/auth?tab=login', register: '/auth', logout: '/auth' } as const;
const TYPE = 'application/x-www-form-urlencoded';

const operations = {
  login: matchOperation('POST', '/api/login')?.operation,
  register: matchOperation('POST', '/api/register')?.operation,
  logout: matchOperation('POST', '/api/logout')?.operation,
};

function kindOf({ path, originalUrl }: Request): Kind {
  if (path === '/sign-out') return 'logout';
  return new URLSearchParams(originalUrl.split('?')[1]).get('tab') === 'login' ? 'login' : 'register';
}

function bodyOf(kind: Exclude<Kind, 'logout'>, form: URLSearchParams): Record<string, unknown> {
  const read = (name: string): string => form.get(name) ?? '';
  const username = read('username').trim();
  const password = read('password');
  if (kind === 'login') return { username, password, ...(read('code') !== '' && { code: read('code').trim() }) };
  return {
    name: read('name').trim(),
    username,
    password,
    confirmPassword: read('confirmPassword'),
    bio: withPlainBreaks(read('bio')).trim(),
    terms: form.has('terms'),
  };
}

/** Never passwords or codes. */
function keptOf(form: URLSearchParams): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ['name', 'username', 'bio', 'terms']) {
    const value = form.get(name);
    if (value !== null) kept[name] = withPlainBreaks(value);
  }
  return kept;
}

const ownAccount = z.object({ username: z.string() });
const newCodes = z.object({ codes: z.array(z.string()) });

const cookiesOf = ({ headers }: WholeAnswer): string[] => [headers['set-cookie'] ?? []].flat();

function beganIn(answer: WholeAnswer, isSecure: boolean): { cookies: string[]; token: string | undefined } {
  const cookies = cookiesOf(answer);
  const token = cookies.map((cookie) => readSessionToken(cookie, isSecure)).find((found) => found !== undefined);
  return { cookies, token };
}

class SignInForms {
  readonly #deps;
  readonly #call;

  constructor(deps: SignInFormDeps) {
    this.#deps = deps;
    this.#call = createServiceCalls(deps, 'auth');
  }

  formOf(request: Request, response: Response): PageForm {
    const kind = kindOf(request);
    const exchange = exchangeOf(response);
    return {
      operation: operations[kind],
      needsVisitor: kind !== 'logout',
      submit: () => this.#submit(request, response, kind),
      keep: async () => exchange.kept ?? (await this.#read(request, exchange)),
      refuse: (error) => this.#sendRefused(request, response, error.httpStatus, toServiceError(error)),
    };
  }
  /** Redirects to the caller's public page, all of an account that works without scripts. */
  async sendOwnPage(request: Request, response: Response): Promise<void> {
    const exchange = exchangeOf(response);
    exchange.endpoint = 'ownPage';
    exchange.identityToken = await this.#deps.sign(identityOf(exchange, exchange.session), 'auth');
    const own = await this.#readOwn(request, exchange);
    redirect(response, own === undefined ? PAGES.login : `/m/${own.username}`);
  }

  async #read(request: Request, exchange: Exchange): Promise<URLSearchParams> {
    const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== TYPE)
      throw new AppError({ code: 'unsupported_media_type', message: 'This form is not sent in that way.' });
    const text = await collectBody(request, LIMITS.jsonBytes, this.#deps.arrival);
    const form = new URLSearchParams(text.toString('utf8'));
    exchange.kept = keptOf(form);
    return form;
  }
  async #sendPage(request: Request, response: Response, status: number, data: SignInData): Promise<boolean> {
    const path = PAGES[kindOf(request)];
    const site = widestOf(exchangeOf(response).origin.scopes);
    const language = readerLanguage(request.headers.cookie);
    const page = await this.#deps.pages.writeSignIn({ language, path, data, site });
    if (page !== undefined) await answerPage(response, status, page);
    return page !== undefined;
  }
  async #sendRefused(
    request: Request,
    response: Response,
    status: number,
    error: NonNullable<SignInData['refused']>['error'],
  ): Promise<void> {
    const { kept = {} } = exchangeOf(response);
    if (!(await this.#sendPage(request, response, status, { refused: { kept, error } })))
      throw new AppError({ code: 'unavailable', message: 'The page could not be written. Try again shortly.' });
  }
  /** Without scripts, no later page creates recovery codes. */
  async #makeCodes(request: Request, exchange: Exchange, token: string, password: string) {
    const session = await this.#deps.sessions.find(token);
    const identityToken = await this.#deps.sign(identityOf(exchange, session), 'auth');
    const made = await this.#call(request, exchange, {
      method: 'POST',
      path: '/api/recovery-codes',
      json: { password },
      identityToken,
    });
    if (made.statusCode >= 300) throw errorOf(made);
    return newCodes.parse(JSON.parse(made.body.toString('utf8'))).codes;
  }
  async #readOwn(request: Request, exchange: Exchange) {
    if (exchange.session === null) return undefined;
    const answer = await this.#call(request, exchange, { method: 'GET', path: '/api/user' });
    return answer.statusCode === 200 ? ownAccount.parse(JSON.parse(answer.body.toString('utf8'))) : undefined;
  }
  /** A reload of the page with codes sends the form again, now with the new session. */
  async #isOwnName(request: Request, exchange: Exchange, username: string): Promise<boolean> {
    return (await this.#readOwn(request, exchange))?.username.toLowerCase() === username.toLowerCase();
  }
  async #submit(request: Request, response: Response, kind: Kind): Promise<void> {
    const exchange = exchangeOf(response);
    if (kind === 'logout') {
      const ended = await this.#call(request, exchange, { method: 'POST', path: '/api/logout' });
      if (ended.statusCode >= 300) throw errorOf(ended);
      for (const cookie of cookiesOf(ended)) response.appendHeader('Set-Cookie', cookie);
      redirect(response, '/', 303);
      return;
    }
    const form = await this.#read(request, exchange);
    const { secure } = cookieAttributes(exchange.origin.host);
    const secret = readVisitorCookie(request.headers.cookie, secure);
    if (secret === undefined) {
      // Without cookies, no session can last.
      await this.#sendRefused(request, response, 400, 'no_cookies');
      return;
    }
    const body = bodyOf(kind, form);
    const { username, name, bio } = body;
    // A second submit finds the first account; the service checks its password.
    const own = kind === 'register' && {
      'idempotency-key': sha256('account', secret, ...[username, name, bio].map(String)),
    };
    const answer = await this.#call(request, exchange, {
      method: 'POST',
      path: `/api/${kind}`,
      json: body,
      ...(own && { own }),
    });
    if (answer.statusCode >= 300) {
      const error = errorOf(answer);
      if (error.code !== 'username_taken' || !(await this.#isOwnName(request, exchange, String(username)))) throw error;
      redirect(response, '/profile', 303);
      return;
    }
    const { cookies, token } = beganIn(answer, secure);
    for (const cookie of cookies) response.appendHeader('Set-Cookie', cookie);
    if (kind === 'register' && token !== undefined) {
      const codes = await this.#makeCodes(request, exchange, token, String(body['password'])).catch(
        (error: unknown) => {
          this.#deps.logger.warn({ err: error, ...logIdsOf(exchange) }, 'no recovery codes for a new account');
          return null;
        },
      );
      const { host } = exchange.origin;
      if (await this.#sendPage(request, response, 201, { created: { username: String(username), host, codes } }))
        return;
    }
    redirect(response, '/profile', 303);
  }
}

/**
 * Sign-in, registration and sign-out without scripts. Each form is one API call with its limits, answered by a page or
 * a redirect.
 */
export function createSignInForm(deps: SignInFormDeps): Record<'accept' | 'answer' | 'ownPage', RequestHandler> {
  const forms = new SignInForms(deps);
  return {
    ...createFormPolicy((request, response) => forms.formOf(request, response), deps.logger),
    ownPage(request, response, next) {
      forms.sendOwnPage(request, response).catch(next);
    },
  };
}
