import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHttpServer, type HttpServer } from './server.js';

describe('a server that stops', () => {
  let server: HttpServer;
  let port: number;
  let agent: Agent;
  let finish: () => void;

  beforeEach(async () => {
    const finished = new Promise<void>((resolve) => (finish = resolve));
    server = createHttpServer({
      host: '127.0.0.1',
      port: 0,
      listener: (request, response) => {
        if (request.url === '/slow') void finished.then(() => response.end('done'));
        else response.end('done');
      },
    });
    port = await server.listen();
    agent = new Agent({ keepAlive: true });
  });
  afterEach(async () => {
    finish();
    agent.destroy();
    await server.close();
  });

  const call = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent }, (response) => {
        response.resume().once('end', () => resolve(response));
      }).once('error', reject);
    });

  test('still serves while it drains, and closes each connection with the answer', async () => {
    expect((await call('/')).headers.connection).toBe('keep-alive');
    server.drain();
    for (let turn = 0; turn < 2; turn++) {
      const response = await call('/');
      expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    }
  });

  test('finishes the requests in flight', async () => {
    const answer = call('/slow');
    await call('/');
    const closed = server.close();
    finish();
    expect((await answer).statusCode).toBe(200);
    await closed;
  });

  test('cuts off requests that take longer than it was given', async () => {
    const answer = call('/slow').catch((error: NodeJS.ErrnoException) => error.code);
    await call('/');
    await server.close(10);
    expect(await answer).toBe('ECONNRESET');
  });
});
