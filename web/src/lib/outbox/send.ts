import { type Answered, send } from '../http.js';
import { isExpired } from '../kept-for.js';
import { messageRequest } from '../message-request.js';
import { type ProofChallenge, solveProof } from '../proof-of-work.js';
import { clearOutbox, recordDelivery, putWaiting, readOutbox, removeWaiting, type Waiting } from './store.js';

const LOCK = 'outbox';

/** Without locks, the Idempotency-Key alone prevents duplicates. */
async function alone<Result>(task: () => Promise<Result>): Promise<Result> {
  const run: { result?: Promise<Result> } = {};
  try {
    await navigator.locks.request(LOCK, () => (run.result = task()));
  } catch {
    // Missing without HTTPS, refused where site data is blocked. The task's own failure is in its result.
  }
  return run.result ?? task();
}

/** A challenge may expire while being solved. */
const MAX_PROOFS = 3;

interface ErrorBody {
  code?: string;
  proof?: ProofChallenge;
}

/** Timed out, because others wait for the lock. */
function post({ key, account, recipient, content }: Waiting, proof: string | null): Promise<Answered> {
  const request = messageRequest(recipient, content, key);
  return send({
    ...request,
    headers: {
      ...request.headers,
      'Sender-Account': String(account ?? 'none'),
      ...(proof !== null && { 'Proof-Of-Work': proof }),
    },
  });
}

type Outcome =
  | { name: 'sent'; id?: number; createdAt: string; wayBack?: string }
  | { name: 'held' }
  | { name: 'refused'; code: string }
  /** Without an answer, nothing else would get through either. */
  | { name: 'later'; isAnswered: boolean };

/** Say nothing about the message itself. */
const isTransient = (status: number) => status === 408 || status === 429 || status >= 500;

async function trySending(message: Waiting): Promise<Outcome> {
  let proof: string | null = null;
  for (let proofs = 0; ; proofs += 1) {
    const answered = await post(message, proof).catch(() => null);
    if (answered?.data == null) return { name: 'later', isAnswered: false };
    const { response, data } = answered;
    if (response.status === 201)
      return { name: 'sent', ...(data as { id?: number; createdAt: string; wayBack?: string }) };
    const { code = '', proof: challenge } = data as ErrorBody;
    if (challenge !== undefined && proofs < MAX_PROOFS) {
      try {
        proof = await solveProof(challenge);
        continue;
      } catch {
        return { name: 'refused', code };
      }
    }
    if (code === 'sender_changed') return { name: 'held' };
    if (code === '' || response.ok || isTransient(response.status)) return { name: 'later', isAnswered: true };
    return { name: 'refused', code };
  }
}

/** Oldest first. Safe to call concurrently. @returns false if something could not be sent yet */
export const sendWaiting = (): Promise<boolean> =>
  alone(async () => {
    // A message that cannot be sent now holds up only later ones for the same recipient.
    const heldUp = new Set<number>();
    for (const message of (await readOutbox()).waiting) {
      const { key, account, recipient } = message;
      if (message.state.name === 'refused' || heldUp.has(recipient.id)) continue;
      const outcome = await trySending(message);
      if (outcome.name === 'later') {
        if (!outcome.isAnswered) return false;
        heldUp.add(recipient.id);
      } else if (outcome.name === 'sent') {
        const { id: messageId, createdAt: sentAt, wayBack: path } = outcome;
        const way = path === undefined ? null : { path, messageId, sentAt };
        await recordDelivery({ key, account, recipient, way, isKept: false });
      } else await putWaiting({ ...message, state: outcome });
    }
    return heldUp.size === 0;
  });

/** Resends a refused message last, without a withdrawn question. */
export async function retryRefused(message: Waiting): Promise<void> {
  const { state } = message;
  const { promptId, ...rest } = message.content;
  const isWithdrawn = state.name === 'refused' && state.code === 'prompt_not_found' && promptId !== undefined;
  await putWaiting({ ...message, content: isWithdrawn ? rest : message.content, state: { name: 'waiting' } });
}

export const forgetOldWaiting = (): Promise<void> =>
  alone(async () => {
    for (const { key, writtenAt } of (await readOutbox()).waiting) if (isExpired(writtenAt)) await removeWaiting(key);
  });

/** Waits for a send in progress. */
export const forgetWaiting = (): Promise<void> => alone(clearOutbox);

/** Not while being sent. @returns false if already sent */
export const withdraw = (key: string): Promise<boolean> =>
  alone(async () => {
    const isThere = (await readOutbox()).waiting.some((message) => message.key === key);
    if (isThere) await removeWaiting(key);
    return isThere;
  });
