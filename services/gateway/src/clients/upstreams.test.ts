import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError } from '@najwa/common/errors';
import { Metrics } from '@najwa/common/metrics';
import { freePort } from '@najwa/dev/processes/ports';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Cancellation, Upstreams, wholeBody, type UpstreamRequest } from './upstreams.js';

const upstreamsAt = (url: string): Upstreams =>
  new Upstreams({ auth: url, messages: url, media: url, chatbot: url, admin: url, web: url }, new Metrics('gateway'), {
    isFair: true,
  });

describe('requests to a service whose pods are being replaced', () => {
  let upstreams: Upstreams;
  let port: number;
  let server: Server | undefined;
  let bodies: string[];
  /** Connections that are cut before the answer. */
  let cuts: number;

  const listen = async (): Promise<void> => {
    const listener: RequestListener = (request, response) => {
      void text(request).then((body) => {
        bodies.push(body);
        if (cuts-- > 0) request.socket.destroy();
        else response.writeHead(201).end('stored');
      });
    };
    server = createServer(listener);
    await new Promise<void>((resolve) => void server?.listen(port, '127.0.0.1', resolve));
  };

  beforeEach(async () => {
    port = await freePort();
    upstreams = upstreamsAt(`http://127.0.0.1:${port}`);
    bodies = [];
    cuts = 0;
    server = undefined;
  });
  afterEach(async () => {
    server?.closeAllConnections();
    await upstreams.close();
    server?.close();
  });

  const send = async (request: Partial<UpstreamRequest>): Promise<string> => {
    const answer = await upstreams.request('messages', { method: 'GET', path: '/', headers: {}, ...request });
    return (await wholeBody(answer.body)).toString();
  };
  const refusal = (request: Partial<UpstreamRequest>): Promise<unknown> =>
    send(request).catch((error: unknown) => (error instanceof AppError ? error.code : error));

  test('requests of any method reach the server that comes back', async () => {
    const answer = send({ method: 'POST', body: Buffer.from('a') });
    await listen();
    expect(await answer).toBe('stored');
    expect(bodies).toEqual(['a']);
  });

  test('requests are repeated with their body if a key makes that safe', async () => {
    cuts = 1;
    await listen();
    const headers = { 'idempotency-key': 'k' };
    expect(await send({ method: 'POST', headers, body: Buffer.from('a') })).toBe('stored');
    expect(bodies).toEqual(['a', 'a']);
  });

  test('requests are repeated if they only read', async () => {
    cuts = 1;
    await listen();
    expect(await send({})).toBe('stored');
  });

  test.each<[string, Partial<UpstreamRequest>]>([
    ['a write without a key', { method: 'POST', body: Buffer.from('a') }],
    ['a streamed body', { method: 'POST', headers: { 'idempotency-key': 'k' }, body: Readable.from(['a']) }],
  ])('requests are not repeated after a cut: %s', async (_what, request) => {
    cuts = 1;
    await listen();
    expect(await refusal(request)).toBe('unavailable');
    expect(bodies).toEqual(['a']);
  });

  test('requests are refused as unavailable when no server comes back', async () => {
    expect(await refusal({})).toBe('unavailable');
  });
});

// Threat model: gateway-15.
test('answers that take long leave connections for others', async () => {
  const server = createServer((request, response) => {
    response.write('a');
    if (request.url === '/short') response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstreams = upstreamsAt(url);
  // Held connections are released after a minute without data.
  const cancellation = new Cancellation();
  const patience = setTimeout(() => cancellation.cancel(new Error('It waited for a connection.')), 30_000);
  const read = (path: string) => upstreams.request('media', { method: 'GET', path, headers: {}, cancellation });
  try {
    const held = await Promise.all(Array.from({ length: 1_000 }, () => read('/long')));
    expect(String(await wholeBody((await read('/short')).body))).toBe('a');
    for (const { body } of held) (body as Readable).on('error', () => undefined).destroy();
  } finally {
    clearTimeout(patience);
    server.closeAllConnections();
    await upstreams.close();
    server.close();
  }
});

// Threat model: gateway-15.
test('a flood of logins from one site holds few connections, and is refused beyond what may wait', async () => {
  const connections = new Set<unknown>();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = createServer((request, response) => {
    connections.add(request.socket);
    void (request.headers['x-flood'] === 'yes' ? released : Promise.resolve()).then(() => response.end('a'));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const upstreams = upstreamsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const logIn = (caller: string, headers: Record<string, string>): Promise<string> =>
    upstreams.request('auth', { method: 'POST', path: '/', headers, caller }).then(
      async ({ body }) => String(await wholeBody(body)),
      (error: unknown) => (error as AppError).code,
    );
  try {
    const flood = Array.from({ length: 100 }, () => logIn('198.51.100.0/24', { 'x-flood': 'yes' }));
    expect(await logIn('192.0.2.0/24', {})).toBe('a');
    expect(connections.size).toBeLessThan(5);
    release();
    const answers = await Promise.all(flood);
    expect(new Set(answers)).toEqual(new Set(['a', 'too_many_requests']));
    expect(answers.filter((answer) => answer === 'a').length).toBeGreaterThan(40);
  } finally {
    server.closeAllConnections();
    await upstreams.close();
    server.close();
  }
});

test('an answer that breaks with its head fails for its reader alone', async () => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n'));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const upstreams = upstreamsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const answer = await upstreams.request('media', { method: 'POST', path: '/', headers: {} });
    await expect(wholeBody(answer.body)).rejects.toThrow();
  } finally {
    await upstreams.close();
    server.close();
  }
});

test('a large answer waits for its reader', async () => {
  const bytes = 32 * 1024 * 1024;
  const server = createServer((request, response) => {
    response.end(request.url === '/large' ? Buffer.alloc(bytes) : 'a');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const upstreams = upstreamsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const read = (path: string) => upstreams.request('media', { method: 'GET', path, headers: {} });
    const { body } = await read('/large');
    for (let count = 0; count < 50; count += 1) await read('/small');
    expect((body as Readable).readableLength).toBeLessThan(1024 * 1024);
    expect(await wholeBody(body)).toHaveLength(bytes);
  } finally {
    await upstreams.close();
    server.close();
  }
});
