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

export interface Crowd {
  history: History;
  talks: Talk[];
  /** Rejected sends, and visits of quiet owners without the page. */
  refusals: { sends: Refusal[]; visits: Refusal[] };
  accepted(): number;
  /** Resolves after every client has succeeded with a call that began after now. */
  everybodySucceeds: () => Promise<void>;
  stop(): Promise<void>;
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

/**
 * Senders, visitors, and owners who read, publish and delete; all record what they see.
 * @param quiet owners who change nothing: their pages are always cached
 */
export function startCrowd(system: TestSystem, busy: readonly TestAccount[], quiet: readonly TestAccount[]): Crowd {
  const owners = [...busy, ...quiet];
  const history: History = { sent: [], changes: [], inboxes: [], publics: [] };
  const refusals: Crowd['refusals'] = { sends: [], visits: [] };
  const lastSuccess: number[] = [];
  let accepted = 0;
  let goesOn = true;

  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(Math.random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  /** Acts in sequence; `act` returns the start of a successful call. */
  const person = async (act: (count: number) => Promise<number | undefined>, pauseMs: number): Promise<void> => {
    const index = lastSuccess.push(0) - 1;
    for (let count = 0; goesOn; count += 1) {
      lastSuccess[index] = (await act(count)) ?? lastSuccess[index] ?? 0;
      if (pauseMs > 0) await delay(pauseMs);
    }
  };

  /** Until it is accepted, or everybody stops. */
  const post = async (path: string, { headers, ...options }: RequestOptions): Promise<Answer> => {
    const own = { ...headers, 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await call(system, 'POST', path, { ...options, headers: own });
      if (answer.status === 201 || !goesOn) return answer;
      refusals.sends.push(refusalOf(answer));
      await delay(PAUSE_BEFORE_RETRY_MS);
    }
  };
  const deliver = async (owner: number, content: string, path: string, options: RequestOptions): Promise<Answer> => {
    const answer = await post(path, options);
    const { status, body, began, ended } = answer;
    const id = status === 201 ? (body as { id: number }).id : null;
    if (id !== null) accepted += 1;
    history.sent.push({ owner, content, id, began, ended });
    return answer;
  };

  const send = async (sender: number, count: number): Promise<number> => {
    const { id: owner } = pick(owners);
    const content = `sender ${sender}, message ${count}`;
    const imageUrl = count % PICTURE_EACH === 0 ? PIXEL : undefined;
    const body = buildMessage(owner, { content, ...(imageUrl !== undefined && { imageUrl }) });
    // Storing pictures is limited per network.
    const headers = { 'x-forwarded-for': `192.0.2.${sender + 1}` };
    return (await deliver(owner, content, '/api/messages', { body, headers })).began;
  };

  const talks: Talk[] = Array.from({ length: TALKS }, () => ({ token: '', texts: [], open: null }));
  /** A message, and the answer to it. */
  const converse = async (talk: Talk, index: number, count: number): Promise<void> => {
    const { id: owner, cookie } = quiet[index % quiet.length] ?? pick(quiet);
    const content = `talk ${index}, turn ${count}`;
    talk.open = content;
    const { status, body } =
      talk.token === ''
        ? await deliver(owner, content, '/api/messages', { body: buildMessage(owner, { content }) })
        : await deliver(owner, content, `/api/ways-back/${talk.token}/messages`, { body: { content } });
    if (status !== 201) return;
    const { id: messageId, wayBack } = body as { id: number; wayBack?: string };
    talk.token ||= wayBack?.slice('/r/'.length) ?? '';
    // The answer with the way back was lost: another conversation begins.
    if (talk.token === '') return;
    talk.texts.push(content);
    talk.open = `answer to ${content}`;
    const answer = await post('/api/replies', { cookie, body: { messageId, content: talk.open } });
    if (answer.status !== 201) return;
    talk.texts.push(talk.open);
    talk.open = null;
  };
  /** Too seldom for a measure of recovery. */
  const goOn = async (talk: Talk, index: number): Promise<void> => {
    for (let count = 0; goesOn; count += 1) {
      await converse(talk, index, count);
      await delay(PAUSE_OF_TALK_MS);
    }
  };

  const keepHouse = async ({ id: owner, cookie }: TestAccount, changes: boolean): Promise<number | undefined> => {
    const { status, body, began, ended } = await call(system, 'GET', `/api/messages?limit=${PAGE}`, { cookie });
    if (status !== 200) return undefined;
    const messages = (body as { id: number; content: string }[]).map(({ id, content }) => ({ id, content }));
    history.inboxes.push({ owner, messages, began, ended });
    if (messages.length === 0 || !changes) return began;
    const { id } = pick(messages);
    const action = pick<Change['action']>(['publish', 'publish', 'unpublish', 'delete']);
    const change = await (action === 'delete'
      ? call(system, 'DELETE', `/api/messages/${id}`, { cookie })
      : call(system, 'PATCH', `/api/messages/${id}`, { cookie, body: { isPublic: action === 'publish' } }));
    const succeeded = change.status === 200 || change.status === 204;
    history.changes.push({ id, action, succeeded, began: change.began, ended: change.ended });
    return began;
  };

  const visit = async (): Promise<number | undefined> => {
    const visited = pick(owners);
    const { id: owner, username } = visited;
    const page = await call(system, 'GET', `/m/${username}`);
    const list = await call(system, 'GET', `/api/messages/public/${owner}`);
    if (quiet.includes(visited))
      for (const answer of [page, list]) if (answer.status !== 200) refusals.visits.push(refusalOf(answer));
    if (page.status !== 200 || list.status !== 200) return undefined;
    const ids = (list.body as { id: number }[]).map(({ id }) => id);
    history.publics.push({ owner, ids, began: list.began, ended: list.ended });
    return page.began;
  };

  const everybody = [
    ...Array.from({ length: SENDERS }, (_, sender) => person((count) => send(sender, count), PAUSE_OF_SENDER_MS)),
    ...owners.map((owner) => person(() => keepHouse(owner, busy.includes(owner)), PAUSE_OF_OWNER_MS)),
    ...Array.from({ length: VISITORS }, () => person(visit, PAUSE_OF_VISITOR_MS)),
    ...talks.map(goOn),
  ];

  return {
    history,
    talks,
    refusals,
    accepted: () => accepted,
    async everybodySucceeds() {
      const from = performance.now();
      while (lastSuccess.some((began) => began < from)) await delay(20);
    },
    async stop() {
      goesOn = false;
      await Promise.all(everybody);
    },
  };
}
