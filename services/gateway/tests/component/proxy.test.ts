import { request as httpRequest, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed();
});
afterAll(() => bed.stop());

const MIB = 1024 * 1024;
const upload = { 'content-type': 'multipart/form-data; boundary=x', 'x-requested-with': 'test' };

/** Some mebibytes, counted as they are read. */
function counted(mebibytes: number) {
  const taken = { bytes: 0 };
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const body = Readable.from(
    (function* () {
      for (let sent = 0; sent < mebibytes * MIB; sent += chunk.length) {
        taken.bytes += chunk.length;
        yield chunk;
      }
    })(),
  );
  return { taken, body };
}

const post = (path: string, body: Readable, headers: Record<string, string> = {}) =>
  bed.fetch(path, { method: 'POST', headers: { ...upload, ...headers }, body, duplex: 'half' });

describe('an upload', () => {
  test('arrives complete', async () => {
    let received = 0;
    bed.upstreams.messages.answer(async (request, response) => {
      for await (const chunk of request) received += (chunk as Buffer).length;
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}');
    });
    const response = await post('/api/audio/upload', counted(10).body);
    expect([response.status, await response.json(), received]).toEqual([201, { id: 1 }, 10 * MIB]);
  });

  test('an upload that the service refuses without reading it gets the answer', async () => {
    bed.upstreams.messages.answer((_request, response) => {
      response
        .writeHead(415, { 'content-type': 'application/json' })
        .end('{"message":"m","code":"unsupported_media_type"}');
    });
    const response = await post('/api/audio/upload', counted(4).body);
    expect([response.status, await response.json()]).toEqual([415, { message: 'm', code: 'unsupported_media_type' }]);
  });

  test('an upload that declares too large a body is refused before it is passed on', async () => {
    const { seen } = bed.upstreams.messages;
    seen.length = 0;
    const refused = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = httpRequest(
        `${bed.origin}/api/audio/upload`,
        { method: 'POST', headers: { ...upload, 'content-length': 13 * MIB } },
        (response) => {
          text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
          response.once('end', () => request.destroy());
        },
      );
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.body)).toEqual({ message: expect.any(String), code: 'payload_too_large' });
    expect(seen).toEqual([]);
  });

  test('an upload that the client aborts is aborted at the service too', async () => {
    let gaveUp = false;
    bed.upstreams.messages.answer((request) => {
      request.on('error', () => undefined);
      request.once('close', () => (gaveUp = !request.complete));
      request.resume();
    });
    const leaving = new AbortController();
    const endless = Readable.from(
      (async function* () {
        yield Buffer.alloc(1024);
        await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve));
      })(),
    );
    const answered = bed.fetch('/api/audio/upload', {
      method: 'POST',
      headers: upload,
      body: endless,
      duplex: 'half',
      signal: leaving.signal,
    });
    await eventually(() => expect(bed.upstreams.messages.seen).not.toHaveLength(0));
    leaving.abort();
    await expect(answered).rejects.toThrow();
    await eventually(() => expect(gaveUp).toBe(true));
  });
});

describe('an answer', () => {
  test('an answer of more than a small size is streamed, with its status and headers', async () => {
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    bed.upstreams.media.answer(async (_request, response) => {
      response.writeHead(206, {
        'content-type': 'audio/mp4',
        'content-range': 'bytes 0-99999/100000',
        'content-length': '100000',
        'accept-ranges': 'bytes',
        'cache-control': 'private',
      });
      response.write('first');
      await opened;
      response.end('later'.padStart(99_995));
    });
    const response = await bed.fetch('/api/audio/stream/a', { headers: { range: 'bytes=0-99999' } });
    expect(bed.upstreams.media.seen.at(-1)?.headers.range).toBe('bytes=0-99999');
    expect([
      response.status,
      response.headers.get('content-range'),
      response.headers.get('content-length'),
      response.headers.get('cache-control'),
    ]).toEqual([206, 'bytes 0-99999/100000', '100000', 'private']);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    gate.open?.();
    let rest = '';
    while (rest.length < 99_995) rest += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(rest.trim()).toBe('later');
  });

  test.each([
    ['public, max-age=31536000, immutable', false],
    ['private, no-cache', true],
  ])(
    'an answer of a service with cache-control %s comes with a visitor cookie: %s',
    async (cacheControl, hasCookie) => {
      bed.upstreams.media.answer((_request, response) => {
        response.setHeader('cache-control', cacheControl).end('bytes');
      });
      const { headers } = await bed.fetch('/api/image/a', { headers: { 'sec-fetch-dest': 'empty' } });
      expect(headers.get('cache-control')).toBe(cacheControl);
      expect(headers.has('set-cookie')).toBe(hasCookie);
    },
  );

  test('a file of the client comes without a cookie', async () => {
    bed.upstreams.web.answer((_request, response) => void response.setHeader('cache-control', 'no-cache').end('text'));
    const { headers } = await bed.fetch('/about');
    expect([headers.get('cache-control'), headers.has('set-cookie')]).toEqual(['no-cache', false]);
  });

  test.each([
    ['of a small size', { 'content-length': '256' }],
    ['of unknown size', {}],
  ])('%s keeps every byte', async (_size, headers) => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    bed.upstreams.media.answer((_request, response) => void response.writeHead(200, headers).end(bytes));
    const response = await bed.fetch('/api/image/a');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test('an answer that breaks off is not delivered as complete', async () => {
    bed.upstreams.media.answer((_request, response) => {
      response.writeHead(200);
      response.write('half', () => response.destroy());
    });
    await expect(bed.fetch('/api/image/a').then((response) => response.text())).rejects.toThrow();
  });

  test('an answer is aborted at the service when the client disconnects', async () => {
    let gaveUp = false;
    bed.upstreams.media.answer((_request, response) => {
      response.once('close', () => (gaveUp = !response.writableFinished));
      response.writeHead(200);
      response.write('first');
    });
    const leaving = new AbortController();
    const response = await bed.fetch('/api/image/b', { signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    await eventually(() => expect(gaveUp).toBe(true));
  });
});

// Threat model: http-6.
test('while one service is down its calls answer unavailable and the others work', async () => {
  await bed.upstreams.chatbot.close();
  for (const [path, headers] of [
    ['/api/chat', { ...upload, 'content-type': 'application/json' }],
    ['/api/chat/upload', upload],
  ] as const) {
    const response = await bed.fetch(path, { method: 'POST', headers, body: '{}' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toEqual({ message: expect.any(String), code: 'unavailable' });
  }
  expect((await bed.fetch('/api/auth-status')).status).toBe(200);
});

describe('a service that dies', () => {
  test.each([
    ['before its answer', () => undefined],
    [
      'between the head and the body of its answer',
      (response: ServerResponse) =>
        response.writeHead(206, { 'content-range': 'bytes 0-9/10', etag: '"a"' }).flushHeaders(),
    ],
    [
      'within a small answer',
      (response: ServerResponse) =>
        response.writeHead(206, { 'content-range': 'bytes 0-9/10', 'content-length': '10', etag: '"a"' }).write('half'),
    ],
  ])('%s is answered with 503', async (_when, begin) => {
    bed.upstreams.media.answer(async (request, response) => {
      begin(response);
      await new Promise(setImmediate);
      request.socket.destroy();
    });
    const answer = await bed.fetch('/api/audio/stream/a');
    expect([answer.status, await answer.json()]).toEqual([503, { message: expect.any(String), code: 'unavailable' }]);
    expect(answer.headers.get('content-range') ?? answer.headers.get('etag')).toBeNull();
  });
});

test.each([502, 503, 504])('a %i of something in between is answered in our shape', async (status) => {
  bed.upstreams.media.answer((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  const answer = await bed.fetch('/api/image/a');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await answer.json()).toEqual({ message: expect.any(String), code: 'unavailable' });
});

test('connections to services are kept, and headers about one connection stay on it', async () => {
  const ports = new Set<number | undefined>();
  bed.upstreams.media.answer((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(200, { connection: 'x-inner', 'x-inner': '1', 'keep-alive': 'timeout=99', 'x-outer': '1' });
    response.end('a');
  });
  for (let count = 0; count < 5; count += 1) {
    const answer = await bed.fetch('/api/image/a');
    await answer.text();
    expect([answer.headers.get('x-inner'), answer.headers.get('x-outer')]).toEqual([null, '1']);
    expect(answer.headers.get('keep-alive')).not.toBe('timeout=99');
  }
  expect(ports.size).toBe(1);
});

describe('an answer of a service', () => {
  const inbox = Array.from({ length: 40 }, (_, id) => ({ id, content: 'أتابع صورك منذ سنتين' }));
  const get = (encoding: string) =>
    bed.fetch('/api/messages', { headers: { ...bed.signIn().headers, 'accept-encoding': encoding } });

  // Threat model: witness-1, network-2.
  test('an inbox is compressed for clients that accept it, with a masked length', async () => {
    bed.upstreams.messages.answer((_request, response) => {
      const body = Buffer.from(JSON.stringify(inbox));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, vary: 'Origin' });
      response.end(body);
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('gzip')));
    for (const answer of answers) {
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
        'gzip',
        'Origin, Accept-Encoding',
      ]);
      expect(await answer.json()).toEqual(inbox);
    }
    expect(new Set(answers.map(({ headers }) => headers.get('content-length'))).size).toBeGreaterThan(5);

    const plain = await get('identity');
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'Origin, Accept-Encoding',
    ]);
    expect(await plain.json()).toEqual(inbox);
  });

  test.each([
    ['is short', { 'content-type': 'application/json' }, '[]'],
    ['is no JSON', { 'content-type': 'audio/mp4' }, 'x'.repeat(5000)],
    ['has an entity tag of the service', { 'content-type': 'application/json', etag: '"a"' }, `"${'x'.repeat(5000)}"`],
  ])('an answer of a service stays as it is when it %s', async (_title, headers, body) => {
    bed.upstreams.messages.answer((_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    });
    const answer = await get('gzip');
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, body]);
  });
});
