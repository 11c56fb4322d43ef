// Long run: bodies that arrive slowly.
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ROUTES } from '@najwa/proto/http/client';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { openConnection } from '../support/raw-request.js';
import { answerAsWebClient } from '../support/web-client.js';

let bed: GatewayBed;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await bed.stop();
});

interface Post {
  socket: Socket;
  /** The bytes that have arrived so far. */
  received: () => string;
  isClosed: () => boolean;
}

interface PostOptions {
  method?: string;
  path?: string;
  type?: string;
  /** Declared length; chunked without one. */
  length?: number;
  headers?: Record<string, string>;
}

const FORM = 'multipart/form-data; boundary=x';

/** Sends the head; the test sends the body. */
function post({
  method = 'POST',
  path = '/api/audio/upload',
  type = FORM,
  length,
  headers = {},
}: PostOptions = {}): Post {
  const socket = openConnection(bed.origin);
  sockets.push(socket);
  let [text, isClosed] = ['', false];
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.once('end', () => socket.end());
  socket.once('close', () => (isClosed = true));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: najwa.example',
    'X-Requested-With: test',
    `Content-Type: ${type}`,
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return { socket, received: () => text, isClosed: () => isClosed };
}

const statusOf = ({ received }: Post) => Number(received().split(' ')[1]);
const codeOf = ({ received }: Post) => (JSON.parse(received().split('\r\n\r\n')[1] ?? '{}') as { code?: string }).code;

const answered = (request: Post, status: number) => eventually(() => expect(statusOf(request)).toBe(status));

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x');
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

describe('a caller without the required role', () => {
  test('a caller without the required role gets the answer before the body is read, and the connection closes', async () => {
    bed = await startGatewayBed();
    const request = post({
      method: 'PATCH',
      path: '/api/users',
      type: 'application/json',
      length: 8 * MEBIBYTE.length,
    });
    await answered(request, 401);
    expect(codeOf(request)).toBe('not_signed_in');
    expect(request.received().toLowerCase()).toContain('connection: close');
    // A client that keeps sending can read the answer before the reset.
    request.socket.write(MEBIBYTE);
    await eventually(() => expect(request.isClosed()).toBe(true), 8_000);
    expect(bed.upstreams.auth.seen).toEqual([]);
  });

  test('a refused caller can use the connection again after a small body', async () => {
    bed = await startGatewayBed();
    const request = post({ method: 'PATCH', path: '/api/users', type: 'application/json', length: 2 });
    request.socket.write('{}GET /api/auth-status HTTP/1.1\r\nHost: najwa.example\r\n\r\n');
    await eventually(() =>
      expect(request.received().match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']),
    );
  });
});

describe('a body that is too large', () => {
  test('a body that is too large is refused by its declared length, and counts against the limit of the network', async () => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '0.005', MAX_REQUESTS: '1000/1000' });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      const request = post({ path: '/api/login', type: 'application/json', length: 64 * 1024 + 1 });
      await eventually(() => expect(statusOf(request)).toBeGreaterThan(0));
      statuses.push(statusOf(request));
    }
    expect(statuses).toEqual([413, 413, 413, 429]);
    expect(bed.upstreams.auth.seen).toEqual([]);
  });

  test('a body that is too large is cut off while it arrives, if it does not declare a length', async () => {
    bed = await startGatewayBed();
    let arrived = 0;
    let isAborted = false;
    bed.upstreams.messages.answer((request) => {
      request.on('data', (piece: Buffer) => (arrived += piece.length));
      request.once('error', () => (isAborted = true));
    });
    const request = post();
    for (let sent = 0; sent < 12; sent += 1) request.socket.write(chunk(MEBIBYTE));
    await answered(request, 413);
    expect(codeOf(request)).toBe('payload_too_large');
    await eventually(() => expect(isAborted).toBe(true));
    expect(arrived).toBeLessThanOrEqual(ROUTES.uploadVoiceMessage.body.maxBytes);
  });
});

describe('a body that arrives slowly', () => {
  test('a slow body is refused after a long pause and frees its connection to the service', async () => {
    bed = await startGatewayBed({ BODY_PAUSE_SECONDS: '1' });
    let isAborted = false;
    bed.upstreams.messages.answer((request) => {
      request.resume();
      request.once('error', () => (isAborted = true));
    });
    const request = post({ length: MEBIBYTE.length });
    request.socket.write(MEBIBYTE.subarray(1));
    await answered(request, 408);
    expect(codeOf(request)).toBe('request_timeout');
    await eventually(() => expect(isAborted).toBe(true));
  });

  // Threat model: gateway-15.
  test('a slow body is refused below the slowest rate, even if it never pauses', async () => {
    bed = await startGatewayBed({ BODY_GRACE_SECONDS: '1', BODY_MIN_RATE: '1000' });
    const request = post({ length: MEBIBYTE.length });
    const trickle = setInterval(() => request.socket.write('x'), 50);
    try {
      await answered(request, 408);
    } finally {
      clearInterval(trickle);
    }
  });

  test('never reaches the service, if it is small', async () => {
    bed = await startGatewayBed({ BODY_PAUSE_SECONDS: '1' });
    const request = post({ path: '/api/login', type: 'application/json', length: 100 });
    request.socket.write('{');
    await answered(request, 408);
    expect(bed.upstreams.auth.seen).toEqual([]);
  });

  test('a client is not blamed for a slow service', async () => {
    bed = await startGatewayBed({ BODY_PAUSE_SECONDS: '1', BODY_GRACE_SECONDS: '1', BODY_MIN_RATE: '1000000' });
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    bed.upstreams.messages.answer(async (request, response) => {
      await opened;
      request.resume();
      request.once('end', () => response.writeHead(201).end());
    });
    const request = post({ length: 10 * MEBIBYTE.length });
    for (let sent = 0; sent < 10; sent += 1) request.socket.write(MEBIBYTE);
    const twoPausesMs = 2_500;
    setTimeout(() => gate.open?.(), twoPausesMs);
    await eventually(() => expect(statusOf(request)).toBe(201), 10_000);
  });
});

describe('concurrent uploads', () => {
  /** Sends one byte, so that the upload reaches the service. */
  const uploadFrom = (address: string): Post => {
    const request = post({ length: MEBIBYTE.length, headers: { 'X-Forwarded-For': address } });
    request.socket.write('x');
    return request;
  };

  test('concurrent uploads are limited per network, and a finished one frees its slot', async () => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_UPLOADS: '100/2', TRUSTED_PROXIES: '127.0.0.1' });
    bed.upstreams.messages.answer((request, response) => {
      request.resume();
      request.once('end', () => response.writeHead(201).end());
    });
    const held = ['2001:db8:1:2::1', '2001:db8:1:2::2'].map(uploadFrom);
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(2));

    const refused = uploadFrom('2001:db8:1:2::3');
    await answered(refused, 429);
    expect(codeOf(refused)).toBe('too_many_requests');
    uploadFrom('2001:db8:1:3::1');
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(3));

    held[0]?.socket.write(MEBIBYTE.subarray(1));
    await eventually(() => expect(held[0] && statusOf(held[0])).toBe(201));
    uploadFrom('2001:db8:1:2::4');
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(4));
  });

  const receiveAll = (): void =>
    bed.upstreams.messages.answer((request, response) => {
      request.resume();
      request.once('end', () => response.writeHead(201).end());
    });

  /** Sends everything at once. @returns the status */
  const sendAll = async (address: string): Promise<number> => {
    const upload = uploadFrom(address);
    upload.socket.write(MEBIBYTE.subarray(1));
    await eventually(() => expect(statusOf(upload)).toBeGreaterThan(0));
    return statusOf(upload);
  };

  // Threat model: gateway-15.
  test.each([
    ['a /24', ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
    ['a /48', ['2001:db8:1:100::1', '2001:db8:1:200::1', '2001:db8:1:300::1']],
  ])('uploads of %s have a quarter of the places at most', async (_name, addresses) => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_UPLOADS: '8/1', TRUSTED_PROXIES: '127.0.0.1' });
    receiveAll();
    const [first, second, third] = addresses as [string, string, string];
    [first, second].map(uploadFrom);
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(2));
    expect(await sendAll(third)).toBe(429);
    expect(await sendAll('198.51.100.1')).toBe(201);
  });

  // Threat model: gateway-15.
  test('the slowest uploads give way when few places are left, wherever they come from', async () => {
    bed = await startGatewayBed({
      RATE_LIMIT_SCALE: '1',
      MAX_UPLOADS: '4/1',
      TRUSTED_PROXIES: '127.0.0.1',
      BODY_GRACE_SECONDS: '1',
      BODY_PAUSE_SECONDS: '60',
      BODY_MIN_RATE: '1',
    });
    receiveAll();
    const addresses = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];
    const slow = addresses.map(uploadFrom);
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(3));
    const ended = () => slow.filter((upload) => statusOf(upload) === 408).length;
    let sites = 0;
    // At first it is unknown who is slow.
    await eventually(async () => {
      expect(await sendAll(`198.18.${(sites += 1)}.1`)).toBe(201);
      expect(ended()).toBe(1);
    }, 10_000);

    const seen = bed.upstreams.messages.seen.length;
    uploadFrom('198.19.1.1');
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(seen + 1));
    // A network that has its share displaces no other.
    expect(await sendAll(addresses[slow.findIndex((upload) => statusOf(upload) !== 408)] ?? '')).toBe(429);
    expect(ended()).toBe(1);
  });

  test('uploads of the largest site give way when no place is left', async () => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_UPLOADS: '3/3', TRUSTED_PROXIES: '127.0.0.1' });
    receiveAll();
    const held = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(uploadFrom);
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(3));
    expect(await sendAll('198.51.100.1')).toBe(201);
    await eventually(() => expect(held.map(statusOf).filter((status) => status === 503)).toHaveLength(1));
  });

  // Threat model: gateway-15.
  test('uploads of one network are read at its pace together', async () => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', BODY_MAX_RATE: '1000000' });
    bed.upstreams.messages.answer((request, response) => {
      request.resume();
      request.once('end', () => response.writeHead(201).end());
    });
    const begun = performance.now();
    const uploads = [post({ length: MEBIBYTE.length }), post({ length: MEBIBYTE.length })];
    for (const { socket } of uploads) socket.write(MEBIBYTE);
    for (const upload of uploads) await eventually(() => expect(statusOf(upload)).toBe(201), 10_000);
    expect(performance.now() - begun).toBeGreaterThan(1_900);
  });

  // Threat model: gateway-15.
  test('uploads of the form of a page count until it is answered', async () => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_UPLOADS: '100/1' });
    answerAsWebClient(bed.upstreams.web);
    const profile = JSON.stringify({ id: 1, username: 'noura', name: 'Noura', bio: '', avatar: null });
    bed.upstreams.auth.answer((_request, response) => void response.end(profile));
    bed.upstreams.messages.answer((request) => void request.resume());
    const send = (picture: string): Promise<Response> => {
      const body = new FormData();
      body.set('content', 'a');
      body.set('image', new Blob([picture]), 'a.png');
      // Without the cookie it would be asked for once more.
      const headers = { 'sec-fetch-site': 'same-origin', cookie: `najwa_visitor=${'v'.repeat(22)}` };
      return bed.fetch('/m/noura', { method: 'POST', body, headers });
    };
    const sent = () => bed.upstreams.messages.seen.filter(({ method }) => method === 'POST').length;
    const held = [send('small').catch(() => undefined)];
    await eventually(() => expect(sent()).toBe(1));
    expect((await send('small')).status).toBe(429);
    expect((await send('large'.repeat(20_000))).status).toBe(429);
    expect(sent()).toBe(1);
    await bed.stop();
    await Promise.all(held);
  });

  // Threat model: gateway-15.
  test('concurrent uploads are limited in total', async () => {
    bed = await startGatewayBed({ RATE_LIMIT_SCALE: '1', MAX_UPLOADS: '1/1', TRUSTED_PROXIES: '127.0.0.1' });
    bed.upstreams.messages.answer((request) => void request.resume());
    uploadFrom('192.0.2.1');
    await eventually(() => expect(bed.upstreams.messages.seen).toHaveLength(1));
    const refused = uploadFrom('198.51.100.1');
    await answered(refused, 503);
    expect(codeOf(refused)).toBe('unavailable');
  });
});
