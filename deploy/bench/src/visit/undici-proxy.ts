import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

export interface ProxyOrder {
  target: string;
}

// Baseline: minimal proxy on undici, a separate process.
process.once('message', ({ target }: ProxyOrder) => {
  const pool = new Pool(target, { connections: 256 });
  const server = createServer((request, response) => {
    const { connection: _, host: __, 'transfer-encoding': ___, ...headers } = request.headers;
    pool
      .request({ method: request.method as 'POST', path: request.url ?? '/', headers, body: request })
      .then((answer) => {
        response.writeHead(answer.statusCode, answer.headers as Record<string, string>);
        answer.body.pipe(response);
      })
      .catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit());
