import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Records its requests. */
export interface Upstream {
  url: string;
  seen: SeenRequest[];
  /** Runs before the body is read. */
  answer(answer: Answer): void;
  close(): Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** @param name part of every answer */
export async function startUpstream(name: string): Promise<Upstream> {
  const seen: SeenRequest[] = [];
  /** The gateway fetches the client's build now and then. */
  const note = (request: SeenRequest) => request.url !== '/server/render.json' && seen.push(request);
  let custom: Answer | undefined;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const handled = custom
      ? Promise.resolve(note({ method, url, headers, body: '' })).then(() => custom?.(request, response))
      : readBody(request).then((body) => {
          note({ method, url, headers, body });
          response
            .setHeader('Content-Type', 'application/json; charset=utf-8')
            .setHeader('Cache-Control', 'no-store')
            .end(JSON.stringify({ from: name }));
        });
    handled.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer(answer) {
      custom = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
