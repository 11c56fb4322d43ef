import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ReceivedRequest {
  authorization: string | undefined;
  model: string;
  messages: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[];
}

export type Behaviour = (request: ReceivedRequest, response: ServerResponse) => void;

/** A local server for OpenAI's chat completions protocol. */
export interface OpenAiStandIn {
  url: string;
  requests: ReceivedRequest[];
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export const answering =
  (content: string | null, totalTokens = 50): Behaviour =>
  ({ model }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 0,
        model,
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
        usage: { prompt_tokens: totalTokens - 10, completion_tokens: 10, total_tokens: totalTokens },
      }),
    );
  };

export const failing =
  (status: number): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
    response.end(JSON.stringify({ error: { message: 'no', type: 'error', param: null, code: null } }));
  };

/** Never answers. */
export const silent: Behaviour = () => undefined;

/** Announces more bytes than it sends. */
export const breakingOff: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices": [{"mess');
  setImmediate(() => response.destroy());
};

/** Sends an answer without an end, as fast as it is read. @returns the bytes that were taken, once the reader has gone */
export function endless(): { behaviour: Behaviour; taken: Promise<number> } {
  let stop: (bytes: number) => void;
  const taken = new Promise<number>((resolve) => (stop = resolve));
  const piece = 'a'.repeat(64 * 1024);
  const behaviour: Behaviour = (_request, response) => {
    const { socket } = response;
    const send = (): void => {
      while (!response.destroyed) if (!response.write(piece)) return;
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices": [{"message": {"role": "assistant", "content": "');
    response.on('drain', send).once('close', () => stop(socket?.bytesWritten ?? 0));
    send();
  };
  return { behaviour, taken };
}

export const talkingNonsense: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"choices": [');
};

export async function startOpenAiStandIn(): Promise<OpenAiStandIn> {
  const requests: ReceivedRequest[] = [];
  let behaviour: Behaviour = answering('ok');

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    const received = { ...((await json(request)) as ReceivedRequest), authorization: request.headers.authorization };
    requests.push(received);
    behaviour(received, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave(next) {
      behaviour = next;
      requests.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
