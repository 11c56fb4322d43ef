import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { openEventStream } from './event-stream.js';

test('a beat is an event with data: browsers keep comments, and events without any, from scripts', async () => {
  const server = createServer((_request, response) => {
    const stream = openEventStream(response);
    stream.beat();
    stream.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await answer.text()).toMatch(/^retry: \d+\n\nevent: beat\ndata: .+\n\n$/);
  server.close();
});
