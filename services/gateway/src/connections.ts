import type { Worker } from 'node:cluster';
import type { EventEmitter } from 'node:events';

/** Message of node's cluster module that comes with a connection, and the worker's answer. */
interface HandOver {
  act: 'newconn';
  seq: number;
}
interface Taken {
  ack?: number;
}

const isHandOver = (message: unknown): message is HandOver => (message as Partial<HandOver> | null)?.act === 'newconn';

/** Interval at which the end of a dead worker's messages is looked for. */
const CHECK_MS = 5;

/**
 * Saves connections that were handed to a worker which dies before it takes them. Node's cluster module waits for the
 * worker's word and keeps them open meanwhile, for ever if it never comes: the client would wait until its own time-out.
 * A worker gives its word before it reads, so such a connection is whole, and another worker can answer it.
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
    // The worker's last messages may still have to be read.
    if (process.connected) {
      setTimeout(settle, CHECK_MS);
      return;
    }
    // Node leaves this out while a connection waits to be taken, and would go on counting the worker among the living.
    if (!isDisconnected) events.emit('disconnect');
    for (const [seq, handle] of [...handed])
      if (hasOthers()) events.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else handle.close();
    handed.clear();
  };
  // After the cluster module's own listeners.
  worker.once('exit', () => setImmediate(settle));
}
