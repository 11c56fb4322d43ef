import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response to every request. */
export interface BareAnswer {
  contentType: string;
  body: string;
}

// Baseline: the minimal Node.js server. Runs as a separate process.
process.once('message', ({ contentType, body }: BareAnswer) => {
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit());
