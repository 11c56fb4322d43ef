import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Connections are as fast as the machine, late by a time, silent but open, or closed and refused. */
export type Condition = { state: 'good' | 'silent' | 'cut' } | { state: 'late'; milliseconds: number };

/** A server's address whose network can be made bad. */
export interface Line {
  port: number;
  /** Host and port, for an address that names another host. */
  host: string;
  become(condition: Condition): void;
  close(): void;
}

const HOST = '127.0.0.1';

/**
 * Listens on a port of its own, and passes everything on to another port, in both directions.
 * @param targetHost this machine by default. Servers in Docker may be at another address.
 */
export async function openLine(target: number, targetHost = HOST): Promise<Line> {
  let condition: Condition = { state: 'good' };
  let lifted = Promise.resolve();
  let lift = (): void => undefined;
  const sockets = new Set<Socket>();

  const forward = (from: Socket, to: Socket): void => {
    let previous = Promise.resolve();
    let waiting = 0;
    const pass = (act: () => void): void => {
      if (condition.state === 'good' && waiting === 0) return act();
      const due = performance.now() + (condition.state === 'late' ? condition.milliseconds : 0);
      waiting += 1;
      previous = previous.then(async () => {
        await delay(Math.max(0, due - performance.now()));
        await lifted;
        waiting -= 1;
        if (!to.destroyed) act();
      });
    };
    from.on('data', (chunk) => pass(() => void to.write(chunk)));
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => undefined);
    from.on('close', () => pass(() => to.destroy()));
  };

  const server: Server = createServer((client) => {
    if (condition.state === 'cut') return void client.destroy();
    const upstream = connect(target, targetHost);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    forward(client, upstream);
    forward(upstream, client);
  });
  server.listen(0, HOST);
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `${HOST}:${port}`,
    become(next) {
      condition = next;
      lift();
      if (next.state === 'silent') lifted = new Promise((resolve) => (lift = resolve));
      if (next.state === 'cut') for (const socket of sockets) socket.destroy();
    },
    close() {
      lift();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
