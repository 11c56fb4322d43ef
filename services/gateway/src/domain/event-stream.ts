import type { ServerResponse } from 'node:http';

/** A slower client reconnects and reads what it missed. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Jittered, so that clients do not reconnect all at once. */
const RETRY_MS = { min: 1_000, max: 5_000 };

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would buffer events.
  'X-Accel-Buffering': 'no',
};

export interface EventStream {
  send(event: string, data: string, id?: number): void;
  /** Keeps proxies from closing the connection. An event, since scripts do not see comments. */
  beat(): void;
  end(): void;
}

export function openEventStream(response: ServerResponse): EventStream {
  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    else response.write(text);
  };
  const retryMs = Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min));
  response.writeHead(200, HEADERS);
  write(`retry: ${retryMs}\n\n`);
  return {
    send: (event, data, id) => write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    beat: () => write('event: beat\ndata: {}\n\n'),
    end: () => response.end(),
  };
}
