import type { ServerResponse } from 'node:http';

/** Answers with JSON. Express's own way works only behind its application. */
export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  });
  // The answer to a HEAD goes without its body all by itself.
  response.end(body);
}
