import type { Worker } from 'node:cluster';
import type { EventEmitter } from 'node:events';

interface HandOver {
  act: 'newconn';
  seq: number;
}
interface Taken {
  ack?: number;
}

const isHandOver = (message: unknown): message is HandOver => (message as Partial<HandOver> | null)?.act === 'newconn';

const CHECK_MS = 5;

/**
 * Saves connections handed to a worker that dies before accepting them: the cluster module would keep them open for
 * ever.
 * A worker accepts before it reads, so another worker can serve them.
 */
export function saveConnections(worker: Worker, hasOthers: () => boolean): void {
  const { process } = worker;
  const events: EventEmitter = process;
  const handed = new Map<number, { close(): void }>();
  const send = process.send.bind(process) as (...parts: unknown[]) => boolean;
  process.send = (message: unknown, ...rest: unknown[]): boolean => {
    const [handle] = rest;
    if (isHandOver(message) && handle) handed.set(message.seq, handle as { close(): void });
    return send(message, ...rest);
  };
  events.on('internalMessage', ({ ack }: Taken) => {
    if (ack !== undefined) handed.delete(ack);
  });

  let isDisconnected = false;
  worker.once('disconnect', () => (isDisconnected = true));
  const settle = (): void => {
    // Its last messages may be unread.
    if (process.connected) {
      setTimeout(settle, CHECK_MS);
      return;
    }
    // Node omits this while a connection is pending, and would count the worker as alive.
    if (!isDisconnected) events.emit('disconnect');
    for (const [seq, handle] of [...handed])
      if (hasOthers()) events.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else handle.close();
    handed.clear();
  };
  worker.once('exit', () => setImmediate(settle));
}
