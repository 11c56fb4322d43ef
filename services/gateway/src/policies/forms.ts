import { AppError } from '@najwa/common/errors';
import { readForm, receivePicture } from '@najwa/common/http';
import { WAY_BACK_HEADER } from '@najwa/common/identity';
import { widestOf, type ArrivalRules } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { LIMITS } from '@najwa/proto/http/client';
import type { Request, RequestHandler, Response } from 'express';
import { readVisitorCookie } from '../domain/headers.js';
import { matchOperation, maxBytesOf } from '../domain/operations.js';
import { readPageLink } from '../domain/page-links.js';
import { collectBody, hasBody, isLargeBody, meterBody } from '../domain/request-body.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import { newToken } from '../domain/tokens.js';
import type { Uploads } from '../domain/uploads.js';
import { exchangeOf, isGone, logIdsOf, type Exchange } from '../exchange.js';
import { textOf } from '../public/answer.js';
import { firstMessagesRead, profileRead, type ReadPublic } from '../public/reads.js';
import { readerLanguage, type PublicPages, type WayBackAct, type WayBackData } from '../rendering/index.js';
import { isOwnOrigin } from './admission.js';
import { answerPage, redirect } from './answers.js';
import { askAgain } from './identity.js';
import {
  createServiceCalls,
  errorOf,
  sha256,
  toServiceError,
  withPlainBreaks,
  type ServiceCallDeps,
} from './service-calls.js';
import { beginUpload, isClientGone } from './upstream.js';

export interface FormDeps extends ServiceCallDeps {
  readPublic: ReadPublic;
  pages: PublicPages;
  uploads: Uploads;
  arrival: ArrivalRules;
  logger: Logger;
  siteOf: (origin: RequestOrigin) => Site;
}

type Act = 'write' | WayBackAct;

type Form = { username: string } | { token: string; act: Act };

interface MessageForm {
  content: string;
  isLater: boolean;
  ask: string;
  /** Of the page: its minute. */
  key: string;
  picture: { bytes: Buffer; digest: string } | undefined;
}

const TOKEN_PATH = /^\/r\/([\w-]{22})$/;

/** Of a way back, a further message has files, and its end a query. */
function formOf({ path, query, headers }: Request): Form | undefined {
  const [, token] = TOKEN_PATH.exec(path) ?? [];
  if (token !== undefined) {
    const writes = headers['content-type']?.startsWith('multipart/') === true;
    return { token, act: writes ? 'write' : 'end' in query ? 'end' : 'delete' };
  }
  const link = readPageLink(path);
  return typeof link === 'object' && 'username' in link ? link : undefined;
}

const createMessage = matchOperation('POST', '/api/messages')?.operation;

/** Below the token's path. */
const PLACES = { write: '/messages', delete: '', end: '/conversation' } as const satisfies Record<Act, string>;

function operationOf(form: Form) {
  if ('username' in form) return createMessage;
  return matchOperation(form.act === 'write' ? 'POST' : 'DELETE', `/api/ways-back/token${PLACES[form.act]}`)?.operation;
}

/** Sec-Fetch-Site or Origin of current browsers; "null" without a referrer. Others at least send a Referer. */
export function isOwnForm({ headers }: Pick<Request, 'headers'>, host: string): boolean {
  const { origin, referer } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined && origin !== 'null') return isOwnOrigin(origin, host);
  if (site === 'same-origin') return true;
  return origin === undefined && referer !== undefined && isOwnOrigin(referer, host);
}

/** The same for each press on one page, derived from a secret. */
function submissionOf(secret: string, to: string, { key, content, ask, picture, isLater }: MessageForm) {
  const parts = [secret, to, key, content, ask, picture?.digest ?? '', ...(isLater ? ['later'] : [])];
  return { key: sha256('form', ...parts), wayBack: sha256('way back', ...parts).slice(0, 22) };
}

const messageOf = ({ content, picture, isLater }: MessageForm) => ({
  content,
  ...(picture && { imageUrl: `data:application/octet-stream;base64,${picture.bytes.toString('base64')}` }),
  ...(isLater && { later: true }),
});

/** Forms of pages without scripts. A message takes the steps of an API call, and the answer becomes a page. */
export function createForms(deps: FormDeps): { accept: RequestHandler; answer: RequestHandler } {
  const { readPublic, pages, uploads, arrival, logger, siteOf } = deps;
  const call = createServiceCalls(deps, 'messages');

  const readMessage = async (request: Request, response: Response): Promise<MessageForm> => {
    if (createMessage === undefined) throw new Error('The contract has no way to send a message.');
    const exchange = exchangeOf(response);
    const upload = isLargeBody(request) ? beginUpload(uploads, response) : undefined;
    const body = meterBody(request, maxBytesOf(createMessage), { arrival, pace: exchange.pace });
    upload?.carry(body);
    const form = readForm(Object.assign(body, { headers: request.headers }), {
      file: 'image',
      maxBytes: maxBytesOf(createMessage),
    });
    const picture = await receivePicture(form, 'image', LIMITS.messageImageBytes).finally(() => {
      const { content = '', later } = form.fields();
      exchange.typed = { content: withPlainBreaks(content), isLater: later === 'true' };
    });
    const { ask = '', key = '' } = form.fields();
    if (picture && upload === undefined) beginUpload(uploads, response);
    return { content: '', isLater: false, ...exchange.typed, ask, key, picture };
  };

  const readAccount = async (username: string, exchange: Exchange) => {
    const read = profileRead(username);
    if (read === undefined) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    const { value: answer } = await readPublic(read, exchange);
    return { answer, id: answer.status === 200 ? (JSON.parse(textOf(answer)) as { id: number }).id : undefined };
  };

  const sendUnsent = async (request: Request, response: Response, username: string, error: AppError): Promise<void> => {
    const exchange = exchangeOf(response);
    const profile = await readAccount(username, exchange);
    const list = profile.id === undefined ? undefined : firstMessagesRead(profile.id);
    const messages = list && (await readPublic(list, exchange)).value;
    const asked = error.code === 'prompt_not_found' ? undefined : exchange.asked;
    const page = await pages.write({
      language: readerLanguage(request.headers.cookie),
      origin: siteOf(exchange.origin).origin,
      username,
      asked,
      renderedAt: Date.now(),
      site: widestOf(exchange.origin.scopes),
      ...(messages && { profile: profile.answer, messages }),
      ...(messages && { unsent: { ...(exchange.typed ?? { content: '' }), error: toServiceError(error) } }),
    });
    await answerPage(response, messages === undefined ? 404 : error.httpStatus, page);
  };

  const post = async (
    request: Request,
    exchange: Exchange,
    path: string,
    message: object,
    headers: Record<string, string>,
  ): Promise<void> => {
    const own = { 'content-type': 'application/json', ...headers };
    const answer = await call(request, exchange, {
      method: 'POST',
      path,
      own,
      body: Buffer.from(JSON.stringify(message)),
    });
    if (answer.statusCode !== 201) throw errorOf(answer);
  };

  const send = async (request: Request, response: Response, username: string): Promise<void> => {
    const exchange = exchangeOf(response);
    const form = await readMessage(request, response);
    const { ask } = form;
    if (/^[1-9]\d{0,14}$/.test(ask)) exchange.asked = Number(ask);
    const { id: userId } = await readAccount(username, exchange);
    if (userId === undefined) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    // Without cookies, each press is its own.
    const secret = readVisitorCookie(request.headers.cookie, siteOf(exchange.origin).isSecure) ?? newToken();
    const { key, wayBack } = submissionOf(secret, username, form);
    const asked = ask === '' ? {} : { promptId: exchange.asked ?? ask };
    const own = { 'idempotency-key': key, [WAY_BACK_HEADER]: wayBack };
    await post(request, exchange, '/api/messages', { userId, ...asked, ...messageOf(form) }, own);
    redirect(response, `/r/${wayBack}`, 303);
  };

  const write = async (request: Request, response: Response, token: string): Promise<void> => {
    const form = await readMessage(request, response);
    const own = { 'idempotency-key': submissionOf(token, 'next', form).key };
    await post(request, exchangeOf(response), `/api/ways-back/${token}${PLACES.write}`, messageOf(form), own);
    redirect(response, `/r/${token}`, 303);
  };

  const sendWayBack = async (
    request: Request,
    response: Response,
    token: string,
    status: number,
    data: WayBackData,
  ): Promise<void> => {
    const site = widestOf(exchangeOf(response).origin.scopes);
    const page = await pages.writeWayBack({ language: readerLanguage(request.headers.cookie), token, data, site });
    if (page === undefined) redirect(response, `/r/${token}`, 303);
    else await answerPage(response, status, page);
  };

  const readWayBack = async (
    request: Request,
    exchange: Exchange,
    token: string,
  ): Promise<{ turns: object[] } | null> => {
    const answer = await call(request, exchange, { method: 'GET', path: `/api/ways-back/${token}` });
    if (answer.statusCode === 404) return null;
    if (answer.statusCode !== 200) throw errorOf(answer);
    return JSON.parse(answer.body.toString('utf8')) as { turns: object[] };
  };

  const askedFor = async (request: Request, response: Response, token: string, act: WayBackAct): Promise<void> => {
    const exchange = exchangeOf(response);
    const text = hasBody(request) ? await collectBody(request, LIMITS.jsonBytes, arrival) : Buffer.alloc(0);
    const isConfirmed = new URLSearchParams(text.toString('utf8')).get('confirm') === 'yes';
    const wayBack = await readWayBack(request, exchange, token);
    if (wayBack === null || !isConfirmed) {
      await sendWayBack(request, response, token, wayBack === null ? 404 : 200, { wayBack, asked: { act } });
      return;
    }
    const answer = await call(request, exchange, { method: 'DELETE', path: `/api/ways-back/${token}${PLACES[act]}` });
    if (answer.statusCode === 204) {
      if (act === 'delete' && wayBack.turns.length > 1) redirect(response, `/r/${token}`, 303);
      else await sendWayBack(request, response, token, 200, { wayBack, asked: { act, outcome: 'done' } });
      return;
    }
    const error = errorOf(answer);
    const now = await readWayBack(request, exchange, token);
    const asked = { act, outcome: toServiceError(error) };
    await sendWayBack(request, response, token, error.httpStatus, { wayBack: now, asked });
  };

  return {
    accept(request, response, next) {
      const form = formOf(request);
      const exchange = exchangeOf(response);
      const operation = form && operationOf(form);
      if (form === undefined || operation === undefined) {
        next(new AppError({ code: 'not_found', message: 'Not found.' }));
        return;
      }
      exchange.operation = operation;
      exchange.endpoint = operation.id;
      if (!isOwnForm(request, exchange.origin.host)) {
        next(new AppError({ code: 'cross_site', message: 'This form did not come from our own pages.' }));
        return;
      }
      if ('username' in form && askAgain(request, response)) return;
      exchange.answerError = async (error) => {
        // The message still exists, as the page shows.
        if ('token' in form && form.act !== 'write') {
          redirect(response, `/r/${form.token}`, 303);
          return;
        }
        // Refused unread: a small body has arrived, so its text can be shown again.
        if (exchange.typed === undefined && !isLargeBody(request) && !request.readableDidRead)
          await readMessage(request, response).catch(() => undefined);
        if ('username' in form) {
          await sendUnsent(request, response, form.username, error);
          return;
        }
        const wayBack = await readWayBack(request, exchange, form.token);
        const unsent = { ...(exchange.typed ?? { content: '' }), error: toServiceError(error) };
        await sendWayBack(request, response, form.token, wayBack === null ? 404 : error.httpStatus, {
          wayBack,
          unsent,
        });
      };
      next();
    },
    answer(request, response, next) {
      const form = formOf(request);
      if (form === undefined || isGone(response)) return;
      const sent =
        'username' in form
          ? send(request, response, form.username)
          : form.act === 'write'
            ? write(request, response, form.token)
            : askedFor(request, response, form.token, form.act);
      sent.catch((error: unknown) => {
        if (isClientGone(error)) return;
        if (!(error instanceof AppError) || error.httpStatus >= 500)
          logger.warn({ err: error, ...logIdsOf(exchangeOf(response)) }, 'form not answered');
        next(error);
      });
    },
  };
}
