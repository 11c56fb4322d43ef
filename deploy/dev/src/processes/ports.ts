import { randomInt } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
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

/** Time for a server to listen. */
const RESERVED_MS = 5 * 60_000;

/** Among all processes of this user. @returns false if recently taken */
async function reserve(port: number): Promise<boolean> {
  const folder = path.join(tmpdir(), `najwa-ports-${process.getuid?.() ?? 0}`);
  const file = path.join(folder, String(port));
  await mkdir(folder, { recursive: true });
  const reservedAt = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  if (Date.now() - reservedAt < RESERVED_MS) return false;
  await rm(file, { force: true });
  return succeeds(writeFile(file, '', { flag: 'wx' }));
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
