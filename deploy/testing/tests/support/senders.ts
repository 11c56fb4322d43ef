import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PIXEL, type TestSystem } from '@najwa/testing';

export const SENDERS = 20;
const PAUSE_BETWEEN_MESSAGES_MS = 200;
const PAUSE_BETWEEN_TRIES_MS = 250;

/** The gateway was down. */
export const NO_ANSWER = 0;

interface Accepted {
  id: number;
  content: string;
}

interface Refusal {
  status: number;
  milliseconds: number;
}

/** Sequential senders. Retries reuse the Idempotency-Key, as in the web client. */
export function startSenders(system: TestSystem, userId: number) {
  const accepted: Accepted[] = [];
  const refusals: Refusal[] = [];
  let sending = true;

  const sendUntilAccepted = async (content: string, imageUrl: string | undefined): Promise<void> => {
    const headers = { 'idempotency-key': randomUUID() };
    for (;;) {
      const begun = performance.now();
      const { status, body } = await system
        .request('POST', '/api/messages', {
          body: { userId, content, ...(imageUrl !== undefined && { imageUrl }) },
          headers,
        })
        .catch(() => ({ status: NO_ANSWER, body: undefined }));
      if (status === 201) {
        accepted.push({ id: (body as { id: number }).id, content });
        return;
      }
      refusals.push({ status, milliseconds: performance.now() - begun });
      await pause(PAUSE_BETWEEN_TRIES_MS);
    }
  };

  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let count = 0; sending; count += 1) {
      await sendUntilAccepted(`sender ${sender}, message ${count}`, sender % 5 === 0 ? PIXEL : undefined);
      await pause(PAUSE_BETWEEN_MESSAGES_MS);
    }
  });

  return {
    accepted,
    refusals,
    async stop() {
      sending = false;
      await Promise.all(senders);
    },
  };
}
