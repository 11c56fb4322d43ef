import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `late` delays, `silent` stays open, `cut` refuses. Connections of a `slow` line share its bandwidth, need a round
 * trip to open, and deliver in pieces.
 */
export type Condition =
  | { state: 'good' | 'silent' | 'cut' }
  | { state: 'late'; milliseconds: number }
  | { state: 'slow'; milliseconds: number; bytesPerSecond: number };

/** A server whose network can be degraded. */
export interface Line {
  port: number;
  /** For an address with another host. */
  host: string;
  become(condition: Condition): void;
  close(): void;
}

const HOST = '127.0.0.1';

/** Of one packet. */
const PIECE_BYTES = 1_400;

/** One direction, in turns. */
interface Lane {
  last: Promise<void>;
  /** Milliseconds. */
  freeAt: number;
}

const newLane = (): Lane => ({ last: Promise.resolve(), freeAt: 0 });

/**
 * Proxies a port in both directions.
 * @param targetHost servers in Docker may be elsewhere
 */
export async function openLine(target: number, targetHost = HOST): Promise<Line> {
  let condition: Condition = { state: 'good' };
  let lifted = Promise.resolve();
  let lift = (): void => undefined;
  const sockets = new Set<Socket>();

  const forward = (from: Socket, to: Socket, lane: Lane, openedAt: number): void => {
    let previous = Promise.resolve();
    let waiting = 0;
    const pass = (act: () => void): void => {
      if (condition.state === 'good' && waiting === 0) return act();
      const late = condition.state === 'late' || condition.state === 'slow' ? condition.milliseconds : 0;
      const due = Math.max(performance.now(), openedAt) + late;
      waiting += 1;
      previous = previous.then(async () => {
        await delay(Math.max(0, due - performance.now()));
        await lifted;
        waiting -= 1;
        if (!to.destroyed) act();
      });
    };
    const takeTurn = (bytes: number): Promise<void> =>
      (lane.last = lane.last.then(async () => {
        // The piece is not needed any more.
        if (to.destroyed || condition.state !== 'slow') return;
        lane.freeAt = Math.max(performance.now(), lane.freeAt) + (bytes / condition.bytesPerSecond) * 1_000;
        await delay(Math.max(0, lane.freeAt - performance.now()));
      }));
    const passSlowly = async (chunk: Buffer): Promise<void> => {
      // Back pressure.
      from.pause();
      for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
        const piece = chunk.subarray(start, start + PIECE_BYTES);
        await takeTurn(piece.length);
        pass(() => void to.write(piece));
      }
      from.resume();
    };
    from.on('data', (chunk: Buffer) => {
      if (condition.state === 'slow') void passSlowly(chunk);
      else pass(() => void to.write(chunk));
    });
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => undefined);
    from.on('close', () => pass(() => to.destroy()));
  };

  const lanes = { up: newLane(), down: newLane() };
  const server: Server = createServer((client) => {
    if (condition.state === 'cut') return void client.destroy();
    const upstream = connect(target, targetHost);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const openedAt = performance.now() + (condition.state === 'slow' ? 2 * condition.milliseconds : 0);
    forward(client, upstream, lanes.up, openedAt);
    forward(upstream, client, lanes.down, openedAt);
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
