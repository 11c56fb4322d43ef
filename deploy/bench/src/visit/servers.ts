import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '@najwa/dev-env';
import { startChildServer, type ChildServer } from '../child.js';
import type { BareAnswer } from './bare-server.js';
import type { MonolithOrder } from './monolith.js';
import { launcher, startPinned } from './pinned.js';
import type { ProxyOrder } from './undici-proxy.js';

const START_MS = 60_000;

async function untilAnswered(url: string, isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && !isDone()) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers at ${url}.`);
}

/** A program that listens on a port, as a server of the benchmark. */
async function startProgram(
  command: string[],
  port: number,
  probe: string,
  env?: NodeJS.ProcessEnv,
): Promise<ChildServer> {
  const child = startPinned(command, env);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(`${url}${probe}`, () => child.exitCode !== null);
  return { url, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') };
}

export const startBare = (answer: BareAnswer): Promise<ChildServer> =>
  startChildServer(new URL('./bare-server.js', import.meta.url), answer, launcher);

export const startProxy = (order: ProxyOrder): Promise<ChildServer> =>
  startChildServer(new URL('./undici-proxy.js', import.meta.url), order, launcher);

export const startMonolith = (order: MonolithOrder): Promise<ChildServer> =>
  startChildServer(new URL('./monolith.js', import.meta.url), order, launcher);

const GATEWAY = fileURLToPath(new URL('../../../../services/gateway/dist/main.js', import.meta.url));

/** A gateway process with the environment of a test bed. */
export async function startGateway(env: NodeJS.ProcessEnv): Promise<ChildServer> {
  const port = await freePort();
  const profile = process.env['GATEWAY_PROFILE'];
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  return startProgram([process.execPath, ...flags, GATEWAY], port, '/health/ready', {
    ...env,
    PATH: process.env['PATH'],
    PORT: String(port),
    LOG_LEVEL: 'warn',
  });
}

const WEB_SERVER = fileURLToPath(new URL('../../../../services/dev-env/dist/web-server/main.js', import.meta.url));
const WEB_ROOT = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** The web client's server, which the gateway asks for the client's HTML. */
export async function startWeb(): Promise<ChildServer> {
  const port = await freePort();
  return startProgram([process.execPath, WEB_SERVER], port, '/', {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: String(port),
    WEB_ROOT,
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
  const server = await startProgram(['nginx', '-c', file, '-p', folder], port, `/${Object.keys(answers)[0] ?? ''}`);
  return {
    ...server,
    stop: () => {
      server.stop();
      void rm(folder, { recursive: true, force: true });
    },
  };
}
