import { randomInt } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { succeeds } from '../bootstrap/processes.js';

// Below the ephemeral range, which outgoing connections use.
const LOWEST = 15_000;
const HIGHEST = 30_000;

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** At least, for a server to listen. */
const RESERVED_MS = 5 * 60_000;

/** Among all processes of this user. A folder for each window of time: a file that is too old is never replaced. @returns false if taken */
async function reserve(port: number): Promise<boolean> {
  const root = path.join(tmpdir(), `najwa-ports-${process.getuid?.() ?? 0}`);
  const window = Math.floor(Date.now() / RESERVED_MS);
  const fileIn = (folder: number): string => path.join(root, String(folder), String(port));
  if (await mkdir(path.dirname(fileIn(window)), { recursive: true }))
    for (const name of await readdir(root))
      if (Number(name) < window - 1) await rm(path.join(root, name), { recursive: true, force: true });
  return !(await succeeds(stat(fileIn(window - 1)))) && succeeds(writeFile(fileIn(window), '', { flag: 'wx' }));
}

/** Unique across processes until a server listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

export function accepts(port: number, host = '127.0.0.1', timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
