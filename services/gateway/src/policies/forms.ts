import { AppError } from '@najwa/common/errors';
import { readForm, receivePicture } from '@najwa/common/http';
import { WAY_BACK_HEADER } from '@najwa/common/identity';
import { widestOf, type ArrivalRules } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { LIMITS } from '@najwa/proto/http/client';
import type { Request, Response } from 'express';
import { readVisitorCookie } from '../domain/headers.js';
import { matchOperation, maxBytesOf } from '../domain/operations.js';
import { readPageLink } from '../domain/page-links.js';
import { collectBody, hasBody, isLargeBody, meterBody } from '../domain/request-body.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import { newToken } from '../domain/tokens.js';
import type { Uploads } from '../domain/uploads.js';
import { exchangeOf, type Exchange } from '../exchange.js';
import { textOf } from '../public/answer.js';
import { firstMessagesRead, profileRead, type ReadPublic } from '../public/reads.js';
import { readerLanguage, type PublicPages, type WayBackAct, type WayBackData } from '../rendering/index.js';
import { answerPage, redirect } from './answers.js';
import { createFormPolicy, type PageForm } from './form-policy.js';
import {
  createServiceCalls,
  errorOf,
  sha256,
  toServiceError,
  withPlainBreaks,
  type ServiceCall,
  type ServiceCallDeps,
} from './service-calls.js';
import { beginUpload } from './upstream.js';

export interface FormDeps extends ServiceCallDeps {
  readPublic: ReadPublic;
  pages: PublicPages;
  uploads: Uploads;
  arrival: ArrivalRules;
  logger: Logger;
  siteOf: (origin: RequestOrigin) => Site;
}

interface MessageForm {
  content: string;
  isLater: boolean;
  ask: string;
  /** Of the page: its minute. */
  key: string;
  picture: { bytes: Buffer; digest: string } | undefined;
}

const TOKEN_PATH = /^\/r\/([\w-]{22})$/;

const operationOf = (method: string, path: string) => matchOperation(method, path)?.operation;
const createMessage = operationOf('POST', '/api/messages');
const followUp = operationOf('POST', '/api/ways-back/token/messages');

/** Below the token's path. */
const PLACES = { delete: '', end: '/conversation' } as const satisfies Record<WayBackAct, string>;

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

class MessageForms {
  readonly #deps;
  readonly #call;

  constructor(deps: FormDeps) {
    this.#deps = deps;
    this.#call = createServiceCalls(deps, 'messages');
  }

  formOf(request: Request, response: Response): PageForm | undefined {
    const { path, query, headers } = request;
    const exchange = exchangeOf(response);
    const keep = async () => exchange.typed ?? (await this.#readMessage(request, response));
    const [, token] = TOKEN_PATH.exec(path) ?? [];
    if (token === undefined) {
      const link = readPageLink(path);
      if (typeof link !== 'object' || !('username' in link)) return undefined;
      const { username } = link;
      return {
        operation: createMessage,
        needsVisitor: true,
        submit: () => this.#send(request, response, username),
        keep,
        refuse: (error) => this.#sendUnsent(request, response, username, error),
      };
    }
    // A further message has files, the end of a conversation a query.
    if (headers['content-type']?.startsWith('multipart/') === true)
      return {
        operation: followUp,
        needsVisitor: false,
        submit: () => this.#write(request, response, token),
        keep,
        refuse: async (error) => {
          const wayBack = await this.#readWayBack(request, exchange, token);
          const unsent = { ...(exchange.typed ?? { content: '' }), error: toServiceError(error) };
          const status = wayBack === null ? 404 : error.httpStatus;
          await this.#sendWayBack(request, response, token, status, { wayBack, unsent });
        },
      };
    const act = 'end' in query ? 'end' : 'delete';
    return {
      operation: operationOf('DELETE', `/api/ways-back/token${PLACES[act]}`),
      needsVisitor: false,
      submit: () => this.#askedFor(request, response, token, act),
      // The message still exists, as the page shows.
      refuse: () => Promise.resolve(redirect(response, `/r/${token}`, 303)),
    };
  }

  async #readMessage(request: Request, response: Response): Promise<MessageForm> {
    if (createMessage === undefined) throw new Error('The contract has no way to send a message.');
    const { uploads, arrival } = this.#deps;
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
  }
  async #readAccount(username: string, exchange: Exchange) {
    const read = profileRead(username);
    if (read === undefined) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    const { value: answer } = await this.#deps.readPublic(read, exchange);
    return { answer, id: answer.status === 200 ? (JSON.parse(textOf(answer)) as { id: number }).id : undefined };
  }
  async #sendUnsent(request: Request, response: Response, username: string, error: AppError): Promise<void> {
    const exchange = exchangeOf(response);
    const profile = await this.#readAccount(username, exchange);
    const list = profile.id === undefined ? undefined : firstMessagesRead(profile.id);
    const messages = list && (await this.#deps.readPublic(list, exchange)).value;
    const asked = error.code === 'prompt_not_found' ? undefined : exchange.asked;
    const page = await this.#deps.pages.write({
      language: readerLanguage(request.headers.cookie),
      origin: this.#deps.siteOf(exchange.origin).origin,
      username,
      asked,
      renderedAt: Date.now(),
      site: widestOf(exchange.origin.scopes),
      ...(messages && { profile: profile.answer, messages }),
      ...(messages && { unsent: { ...(exchange.typed ?? { content: '' }), error: toServiceError(error) } }),
    });
    await answerPage(response, messages === undefined ? 404 : error.httpStatus, page);
  }
  async #post(request: Request, exchange: Exchange, sent: Omit<ServiceCall, 'method'>): Promise<void> {
    const answer = await this.#call(request, exchange, { method: 'POST', ...sent });
    if (answer.statusCode !== 201) throw errorOf(answer);
  }
  async #send(request: Request, response: Response, username: string): Promise<void> {
    const exchange = exchangeOf(response);
    const form = await this.#readMessage(request, response);
    const { ask } = form;
    if (/^[1-9]\d{0,14}$/.test(ask)) exchange.asked = Number(ask);
    const { id: userId } = await this.#readAccount(username, exchange);
    if (userId === undefined) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    // Without cookies, each press is its own.
    const secret = readVisitorCookie(request.headers.cookie, this.#deps.siteOf(exchange.origin).isSecure) ?? newToken();
    const { key, wayBack } = submissionOf(secret, username, form);
    const asked = ask === '' ? {} : { promptId: exchange.asked ?? ask };
    const own = { 'idempotency-key': key, [WAY_BACK_HEADER]: wayBack };
    const json = { userId, ...asked, ...messageOf(form) };
    await this.#post(request, exchange, { path: '/api/messages', own, json });
    redirect(response, `/r/${wayBack}`, 303);
  }
  async #write(request: Request, response: Response, token: string): Promise<void> {
    const form = await this.#readMessage(request, response);
    const own = { 'idempotency-key': submissionOf(token, 'next', form).key };
    const path = `/api/ways-back/${token}/messages`;
    await this.#post(request, exchangeOf(response), { path, own, json: messageOf(form) });
    redirect(response, `/r/${token}`, 303);
  }
  async #sendWayBack(
    request: Request,
    response: Response,
    token: string,
    status: number,
    data: WayBackData,
  ): Promise<void> {
    const site = widestOf(exchangeOf(response).origin.scopes);
    const language = readerLanguage(request.headers.cookie);
    const page = await this.#deps.pages.writeWayBack({ language, token, data, site });
    if (page === undefined) redirect(response, `/r/${token}`, 303);
    else await answerPage(response, status, page);
  }
  async #readWayBack(request: Request, exchange: Exchange, token: string): Promise<{ turns: object[] } | null> {
    const answer = await this.#call(request, exchange, { method: 'GET', path: `/api/ways-back/${token}` });
    if (answer.statusCode === 404) return null;
    if (answer.statusCode !== 200) throw errorOf(answer);
    return JSON.parse(answer.body.toString('utf8')) as { turns: object[] };
  }
  async #askedFor(request: Request, response: Response, token: string, act: WayBackAct): Promise<void> {
    const exchange = exchangeOf(response);
    const text = hasBody(request) ? await collectBody(request, LIMITS.jsonBytes, this.#deps.arrival) : Buffer.alloc(0);
    const isConfirmed = new URLSearchParams(text.toString('utf8')).get('confirm') === 'yes';
    const wayBack = await this.#readWayBack(request, exchange, token);
    if (wayBack === null || !isConfirmed) {
      await this.#sendWayBack(request, response, token, wayBack === null ? 404 : 200, { wayBack, asked: { act } });
      return;
    }
    const answer = await this.#call(request, exchange, {
      method: 'DELETE',
      path: `/api/ways-back/${token}${PLACES[act]}`,
    });
    if (answer.statusCode === 204) {
      if (act === 'delete' && wayBack.turns.length > 1) redirect(response, `/r/${token}`, 303);
      else await this.#sendWayBack(request, response, token, 200, { wayBack, asked: { act, outcome: 'done' } });
      return;
    }
    const error = errorOf(answer);
    const now = await this.#readWayBack(request, exchange, token);
    const asked = { act, outcome: toServiceError(error) };
    await this.#sendWayBack(request, response, token, error.httpStatus, { wayBack: now, asked });
  }
}

/** Messages without scripts, and what a sender does with the way back. */
export function createForms(deps: FormDeps): ReturnType<typeof createFormPolicy> {
  const forms = new MessageForms(deps);
  return createFormPolicy((request, response) => forms.formOf(request, response), deps.logger);
}
