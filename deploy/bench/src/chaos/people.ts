import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { buildMessage, PIXEL, type RequestOptions, type TestAccount, type TestSystem } from '@najwa/testing';
import type { Change, History } from './history.js';

const SENDERS = sizes({ full: 20, smoke: 2 });
const VISITORS = sizes({ full: 4, smoke: 1 });
const PICTURE_EACH = 50;
const PAUSE_OF_SENDER_MS = sizes({ full: 0, smoke: 300 });
const PAUSE_OF_OWNER_MS = sizes({ full: 1_000, smoke: 300 });
const PAUSE_OF_VISITOR_MS = sizes({ full: 100, smoke: 300 });
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

export interface Crowd {
  history: History;
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

  const send = async (sender: number, count: number): Promise<number> => {
    const { id: owner } = pick(owners);
    const content = `sender ${sender}, message ${count}`;
    const imageUrl = count % PICTURE_EACH === 0 ? PIXEL : undefined;
    const body = buildMessage(owner, { content, ...(imageUrl !== undefined && { imageUrl }) });
    // Storing pictures is limited per network.
    const headers = { 'idempotency-key': randomUUID(), 'x-forwarded-for': `192.0.2.${sender + 1}` };
    for (;;) {
      const answer = await call(system, 'POST', '/api/messages', { body, headers });
      const { status, began, ended } = answer;
      const id = status === 201 ? (answer.body as { id: number }).id : null;
      if (id === null) refusals.sends.push(refusalOf(answer));
      else accepted += 1;
      if (id !== null || !goesOn) {
        history.sent.push({ owner, content, id, began, ended });
        return began;
      }
      await delay(PAUSE_BEFORE_RETRY_MS);
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
  ];

  return {
    history,
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
