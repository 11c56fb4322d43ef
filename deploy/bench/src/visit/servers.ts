import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnSync } from 'node:child_process';
import { freePort, inCheckout, reasonIn, SetupError, webServerProgram } from '@najwa/dev-env';
import { startChildServer, watchErrors, type ChildServer } from '../child.js';
import type { BareAnswer } from './bare-server.js';
import type { MonolithOrder } from './monolith.js';
import { launcher, startPinned } from './pinned.js';
import type { ProxyOrder } from './undici-proxy.js';

const START_MS = 60_000;

/**
 * A program that listens on a port, as a server of the benchmark.
 * @throws {SetupError} if it ends, or does not answer
 */
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

export const startMonolith = (order: MonolithOrder): Promise<ChildServer> =>
  startChildServer(new URL('./monolith.js', import.meta.url), order, launcher);

const GATEWAY = inCheckout('services/gateway/dist/main.js');

/** A gateway process with the environment of a test bed. */
export async function startGateway(env: NodeJS.ProcessEnv): Promise<ChildServer> {
  const port = await freePort();
  const profile = process.env['GATEWAY_PROFILE'];
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  return startProgram('The gateway', [process.execPath, ...flags, GATEWAY], port, '/health/ready', {
    ...env,
    PATH: process.env['PATH'],
    PORT: String(port),
    LOG_LEVEL: 'warn',
  });
}

/** The web client's server, which the gateway asks for the client's HTML. @param copy a folder for what it serves */
export async function startWeb(copy: string): Promise<ChildServer> {
  const port = await freePort();
  const { main, env } = webServerProgram({ host: '127.0.0.1', port, copy });
  return startProgram("The client's server", [process.execPath, main], port, '/', {
    ...env,
    PATH: process.env['PATH'],
  });
}

/** nginx with one worker that serves the answers as files. Undefined if it is not installed. */
export async function startNginx(answers: Record<string, BareAnswer>): Promise<ChildServer | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-nginx-'));
  await mkdir(path.join(folder, 'files'));
  const port = await freePort();
  const locations = Object.entries(answers).map(([name, { headers }]) => {
    const encoding = headers['content-encoding'];
    const added = encoding === undefined ? '' : `add_header Content-Encoding ${encoding};`;
    return `location = /${name} { default_type "${headers['content-type'] ?? ''}"; ${added} }`;
  });
  for (const [name, { body }] of Object.entries(answers))
    await writeFile(path.join(folder, 'files', name), Buffer.from(body, 'base64'));
  const config = `
    daemon off; worker_processes 1; pid ${folder}/pid; error_log /dev/null;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; open_file_cache max=100; keepalive_requests 1000000;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server { listen 127.0.0.1:${port}; root ${folder}/files; ${locations.join('\n')} }
    }`;
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, config);
  const probe = `/${Object.keys(answers)[0] ?? ''}`;
  const server = await startProgram('nginx', ['nginx', '-c', file, '-p', folder], port, probe);
  return {
    ...server,
    stop: () => {
      server.stop();
      void rm(folder, { recursive: true, force: true });
    },
  };
}
