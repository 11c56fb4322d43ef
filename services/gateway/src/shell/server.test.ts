import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { HttpServer } from '@najwa/common/http';
import express, { type Response } from 'express';
import { createGatewayServer } from './server.js';

let server: HttpServer;
afterEach(() => server.close());

test('an answer ends whose client takes nothing of it any more', async () => {
  let answer: (response: Response) => void;
  const begun = new Promise<Response>((resolve) => (answer = resolve));
  server = createGatewayServer({
    host: '127.0.0.1',
    port: 0,
    app: express(),
    listener: (_request, response) => answer(response),
    // Includes the time before a busy machine reads the request.
    idleMs: 1000,
  });
  const client = connect(await server.listen(), '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: najwa.example\r\n\r\n');
  const response = await begun;
  const size = 64 * 1024 * 1024;
  response.end(Buffer.alloc(size));
  await once(response, 'close');
  expect(client.bytesRead).toBeLessThan(size);
  client.destroy();
});
