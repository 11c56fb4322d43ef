import { setTimeout as delay } from 'node:timers/promises';
import { inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { freePort } from '@najwa/dev/processes/ports';
import { reasonIn } from '@najwa/dev/processes/reason';
import { webServerProgram } from '@najwa/dev/web-server/program';
import { startChildServer, watchErrors, type ChildServer } from '../child.js';
import type { BareAnswer } from './bare-server.js';
import { launcher, startPinned } from './pinned.js';
import type { ProxyOrder } from './undici-proxy.js';

const START_MS = 60_000;

/** @throws {SetupError} if it ends, or does not answer */
async function startProgram(
  name: string,
  command: string[],
  port: number,
  probe: string,
  env?: NodeJS.ProcessEnv,
): Promise<ChildServer> {
  const child = startPinned(command, env);
  const errors = watchErrors(child);
  let error: Error | undefined;
  child.once('error', (reason) => (error = reason));
  const hasEnded = (): boolean => error !== undefined || child.exitCode !== null || child.signalCode !== null;
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && !hasEnded()) {
    const answer = await fetch(`${url}${probe}`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return { url, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') };
    await delay(50);
  }
  const isOver = hasEnded();
  child.kill('SIGKILL');
  throw new SetupError(
    isOver
      ? `${name} ended before it answered: ${error?.message ?? reasonIn(errors())}`
      : `${name} does not answer at ${url}${probe} after ${START_MS / 1000} seconds.`,
  );
}

export const startBare = (answer: BareAnswer): Promise<ChildServer> =>
  startChildServer(new URL('./bare-server.js', import.meta.url), answer, launcher);

export const startProxy = (order: ProxyOrder): Promise<ChildServer> =>
  startChildServer(new URL('./undici-proxy.js', import.meta.url), order, launcher);

const GATEWAY = inCheckout('services/gateway/dist/main.js');

export async function startGateway(env: NodeJS.ProcessEnv): Promise<ChildServer> {
  const port = await freePort();
  return startProgram('The gateway', [process.execPath, GATEWAY], port, '/health/ready', {
    ...env,
    PATH: process.env['PATH'],
    PORT: String(port),
    LOG_LEVEL: 'warn',
  });
}

/** @param copy folder for served files */
export async function startWeb(copy: string): Promise<ChildServer> {
  const port = await freePort();
  const { main, env } = webServerProgram({ host: '127.0.0.1', port, copy });
  return startProgram("The client's server", [process.execPath, main], port, '/', {
    ...env,
    PATH: process.env['PATH'],
  });
}
