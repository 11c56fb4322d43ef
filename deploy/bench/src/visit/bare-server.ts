import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** To every request. */
export interface BareAnswer {
  status: number;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
}

// Baseline: minimal Node.js server, a separate process.
process.once('message', ({ status, headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((request, response) => {
    const answer = (): void => {
      response.writeHead(status, { ...headers, 'content-length': bytes.length });
      response.end(bytes);
    };
    if (request.method === 'GET') answer();
    else request.resume().once('end', answer);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit());
