import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { buildMessage, PIXEL, type RequestOptions, type TestAccount, type TestSystem } from '@najwa/testing';
import type { Change, History } from './history.js';

const SENDERS = sizes({ full: 20, smoke: 2 });
const VISITORS = sizes({ full: 4, smoke: 1 });
const TALKS = sizes({ full: 100, smoke: 1 });
const PICTURE_EACH = 50;
const PAUSE_OF_SENDER_MS = sizes({ full: 0, smoke: 300 });
const PAUSE_OF_OWNER_MS = sizes({ full: 1_000, smoke: 300 });
const PAUSE_OF_VISITOR_MS = sizes({ full: 100, smoke: 300 });
const PAUSE_OF_TALK_MS = sizes({ full: 10_000, smoke: 300 });
const PAUSE_BEFORE_RETRY_MS = 250;
const PAGE = 100;
/** Clients give up. A longer call counts as unanswered. */
const PATIENCE_MS = 30_000;

/** Replaces a status. */
export const NO_ANSWER = 'no answer';

interface Refusal {
  /** With the answer's code. */
  status: string;
  began: number;
  milliseconds: number;
}

/** A conversation with a quiet owner. */
export interface Talk {
  /** Empty before the first message was accepted. */
  token: string;
  /** Of both, in order. */
  texts: string[];
  /** Not accepted for certain. */
  open: string | null;
}

interface Answer {
  /** 0 without an answer. */
  status: number;
  body: unknown;
  began: number;
  ended: number;
}

const refusalOf = ({ status, body, began, ended }: Answer): Refusal => ({
  status: status === 0 ? NO_ANSWER : `${status} ${(body as { code?: string } | undefined)?.code ?? ''}`,
  began,
  milliseconds: ended - began,
});

async function call(system: TestSystem, method: string, path: string, options?: RequestOptions): Promise<Answer> {
  const began = performance.now();
  const none = { status: 0, body: undefined };
  const { status, body } = await Promise.race([
    system.request(method, path, options).catch(() => none),
    delay(PATIENCE_MS, none, { ref: false }),
  ]);
  return { status, body, began, ended: performance.now() };
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

/** Senders, visitors, and owners who read, publish and delete; all record what they see. */
export class Crowd {
  readonly history: History = { sent: [], changes: [], inboxes: [], publics: [] };
  readonly talks: Talk[] = Array.from({ length: TALKS }, () => ({ token: '', texts: [], open: null }));
  /** Rejected sends, and visits of quiet owners without the page. */
  readonly refusals: { sends: Refusal[]; visits: Refusal[] } = { sends: [], visits: [] };
  accepted = 0;
  #goesOn = true;
  readonly #owners: readonly TestAccount[];
  readonly #lastSuccess: number[] = [];
  readonly #everybody: Promise<void>[];

  /** @param quiet owners who change nothing: their pages are always cached */
  constructor(
    private readonly system: TestSystem,
    busy: readonly TestAccount[],
    private readonly quiet: readonly TestAccount[],
  ) {
    this.#owners = [...busy, ...quiet];
    this.#everybody = [
      ...Array.from({ length: SENDERS }, (_, sender) =>
        this.#person((count) => this.#send(sender, count), PAUSE_OF_SENDER_MS),
      ),
      ...this.#owners.map((owner) =>
        this.#person(() => this.#keepHouse(owner, busy.includes(owner)), PAUSE_OF_OWNER_MS),
      ),
      ...Array.from({ length: VISITORS }, () => this.#person(() => this.#visit(), PAUSE_OF_VISITOR_MS)),
      ...this.talks.map((talk, index) => this.#goOn(talk, index)),
    ];
  }

  /** Resolves after every client has succeeded with a call that began after now. */
  async everybodySucceeds(): Promise<void> {
    const from = performance.now();
    while (this.#lastSuccess.some((began) => began < from)) await delay(20);
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await Promise.all(this.#everybody);
  }

  /** Acts in sequence; `act` returns the start of a successful call. */
  async #person(act: (count: number) => Promise<number | undefined>, pauseMs: number): Promise<void> {
    const index = this.#lastSuccess.push(0) - 1;
    for (let count = 0; this.#goesOn; count += 1) {
      this.#lastSuccess[index] = (await act(count)) ?? this.#lastSuccess[index] ?? 0;
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  /** Until it is accepted, or everybody stops. */
  async #post(path: string, { headers, ...options }: RequestOptions): Promise<Answer> {
    const own = { ...headers, 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await call(this.system, 'POST', path, { ...options, headers: own });
      if (answer.status === 201 || !this.#goesOn) return answer;
      this.refusals.sends.push(refusalOf(answer));
      await delay(PAUSE_BEFORE_RETRY_MS);
    }
  }
  async #deliver(owner: number, content: string, path: string, options: RequestOptions): Promise<Answer> {
    const answer = await this.#post(path, options);
    const { status, body, began, ended } = answer;
    const id = status === 201 ? (body as { id: number }).id : null;
    if (id !== null) this.accepted += 1;
    this.history.sent.push({ owner, content, id, began, ended });
    return answer;
  }

  async #send(sender: number, count: number): Promise<number> {
    const { id: owner } = pick(this.#owners);
    const content = `sender ${sender}, message ${count}`;
    const imageUrl = count % PICTURE_EACH === 0 ? PIXEL : undefined;
    const body = buildMessage(owner, { content, ...(imageUrl !== undefined && { imageUrl }) });
    // Storing pictures is limited per network.
    const headers = { 'x-forwarded-for': `192.0.2.${sender + 1}` };
    return (await this.#deliver(owner, content, '/api/messages', { body, headers })).began;
  }

  /** A message, and the answer to it. */
  async #converse(talk: Talk, index: number, count: number): Promise<void> {
    const { id: owner, cookie } = this.quiet[index % this.quiet.length] ?? pick(this.quiet);
    const content = `talk ${index}, turn ${count}`;
    talk.open = content;
    const { status, body } =
      talk.token === ''
        ? await this.#deliver(owner, content, '/api/messages', { body: buildMessage(owner, { content }) })
        : await this.#deliver(owner, content, `/api/ways-back/${talk.token}/messages`, { body: { content } });
    if (status !== 201) return;
    const { id: messageId, wayBack } = body as { id: number; wayBack?: string };
    talk.token ||= wayBack?.slice('/r/'.length) ?? '';
    // The answer with the way back was lost: another conversation begins.
    if (talk.token === '') return;
    talk.texts.push(content);
    talk.open = `answer to ${content}`;
    const answer = await this.#post('/api/replies', { cookie, body: { messageId, content: talk.open } });
    if (answer.status !== 201) return;
    talk.texts.push(talk.open);
    talk.open = null;
  }
  /** Too seldom for a measure of recovery. */
  async #goOn(talk: Talk, index: number): Promise<void> {
    for (let count = 0; this.#goesOn; count += 1) {
      await this.#converse(talk, index, count);
      await delay(PAUSE_OF_TALK_MS);
    }
  }

  async #keepHouse({ id: owner, cookie }: TestAccount, changes: boolean): Promise<number | undefined> {
    const { status, body, began, ended } = await call(this.system, 'GET', `/api/messages?limit=${PAGE}`, { cookie });
    if (status !== 200) return undefined;
    const messages = (body as { id: number; content: string }[]).map(({ id, content }) => ({ id, content }));
    this.history.inboxes.push({ owner, messages, began, ended });
    if (messages.length === 0 || !changes) return began;
    const { id } = pick(messages);
    const action = pick<Change['action']>(['publish', 'publish', 'unpublish', 'delete']);
    const change = await (action === 'delete'
      ? call(this.system, 'DELETE', `/api/messages/${id}`, { cookie })
      : call(this.system, 'PATCH', `/api/messages/${id}`, { cookie, body: { isPublic: action === 'publish' } }));
    const succeeded = change.status === 200 || change.status === 204;
    this.history.changes.push({ id, action, succeeded, began: change.began, ended: change.ended });
    return began;
  }

  async #visit(): Promise<number | undefined> {
    const visited = pick(this.#owners);
    const { id: owner, username } = visited;
    const page = await call(this.system, 'GET', `/m/${username}`);
    const list = await call(this.system, 'GET', `/api/messages/public/${owner}`);
    if (this.quiet.includes(visited))
      for (const answer of [page, list]) if (answer.status !== 200) this.refusals.visits.push(refusalOf(answer));
    if (page.status !== 200 || list.status !== 200) return undefined;
    const ids = (list.body as { id: number }[]).map(({ id }) => id);
    this.history.publics.push({ owner, ids, began: list.began, ended: list.ended });
    return page.began;
  }
}
