import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { PATIENCE_MS, type Answered } from './judge.js';

const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export interface CallToMake {
  method: string;
  /** Path and query, sent as they are. */
  path: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer;
}

export interface WholeAnswer extends Answered {
  content: Buffer;
}

const isText = (type = ''): boolean => /^(application\/json|text\/)/.test(type);

/**
 * Makes a call with exactly these bytes. An event stream ends as soon as it has begun.
 * @returns undefined if the connection ended without an answer, as it does for what is not HTTP
 * @throws {Error} when no answer comes in time
 */
export async function call(url: string, { method, path, headers, body }: CallToMake): Promise<WholeAnswer | undefined> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        clearTimeout(deadline);
        const content = Buffer.concat(chunks);
        resolve({
          method,
          path,
          status: response.statusCode ?? 0,
          headers: response.headers,
          content,
          text: isText(response.headers['content-type']) ? content.toString('utf8') : '',
          milliseconds: performance.now() - begun,
        });
      };
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_TEXT_BYTES) chunks.push(chunk);
      });
      response.on('end', finish);
      response.on('error', finish);
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        finish();
        response.destroy();
      }
    });
    const deadline = setTimeout(() => {
      reject(new Error(`${method} ${path.split('?')[0]}: no answer in ${PATIENCE_MS / 1000} seconds`));
      outgoing.destroy();
    }, PATIENCE_MS + 1_000);
    outgoing.on('error', () => {
      clearTimeout(deadline);
      resolve(undefined);
    });
    outgoing.end(body);
  });
}
