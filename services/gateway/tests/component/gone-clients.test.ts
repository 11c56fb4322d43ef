import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { openConnection } from '../support/raw-request.js';

let bed: GatewayBed;
afterEach(() => bed.stop());

/** Disconnects while auth resolves its session. */
async function leaveEarly(head: string): Promise<void> {
  const socket = openConnection(bed.origin);
  socket.write(`${head}\r\n\r\n`);
  await eventually(() => expect(bed.resolutions()).toBe(1));
  socket.destroy();
  // The gateway has noticed once it accepts another request.
  await eventually(async () => expect((await bed.fetch('/api/auth-status')).status).toBe(200));
}

// Threat model: gateway-15.
test('a client that goes away while its session is looked up holds no place of an upload', async () => {
  bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_REQUESTS: '100/1', MAX_UPLOADS: '100/1' });
  const { headers } = bed.signIn();
  const goOn = bed.holdResolutions();
  await leaveEarly(
    `POST /api/audio/upload HTTP/1.1\r\nHost: najwa.example\r\nX-Requested-With: test\r\nCookie: ${headers.cookie}\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000',
  );
  // Shares auth's answer, so it comes after the disconnected one.
  const upload = bed.fetch('/api/audio/upload', {
    method: 'POST',
    headers: { ...headers, 'x-requested-with': 'test', 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.alloc(1_000_000, 'x'),
  });
  goOn();
  expect((await upload).status).toBe(200);
  expect(bed.upstreams.messages.seen).toHaveLength(1);
});

test('a client that goes away while its session is looked up holds no place of an event stream', async () => {
  bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_REQUESTS: '100/1', MAX_STREAMS: '100/1' });
  const { headers } = bed.signIn();
  const goOn = bed.holdResolutions();
  await leaveEarly(`GET /api/notifications/stream HTTP/1.1\r\nHost: najwa.example\r\nCookie: ${headers.cookie}`);
  const controller = new AbortController();
  const stream = bed.fetch('/api/notifications/stream', { headers, signal: controller.signal });
  goOn();
  expect((await stream).status).toBe(200);
  controller.abort();
});

// Threat model: gateway-15.
test('pipelined requests hold no place once their client has gone', async () => {
  bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_REQUESTS: '100/2' });
  let held = 0;
  bed.upstreams.auth.answer((request, response) => {
    if (request.headers['x-held'] === undefined) response.end('{}');
    else held += 1;
  });
  for (const expected of [2, 4]) {
    const socket = openConnection(bed.origin);
    socket.write('GET /api/auth-status HTTP/1.1\r\nHost: najwa.example\r\nX-Held: yes\r\n\r\n'.repeat(2));
    await eventually(() => expect(held).toBe(expected));
    socket.destroy();
    await eventually(async () => expect((await bed.fetch('/api/auth-status')).status).toBe(200));
  }
});
