import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { signalGroup } from '@najwa/dev/bootstrap/processes';
import type { Role } from '@najwa/proto/http/client';
import type { TestSystem } from '@najwa/testing';
import { call } from './call.js';
import type { Judge } from './judge.js';
import { headersOf, newPerson } from './people.js';
import type { Random } from './random.js';

/** Checks that only the generator can make. The proxy checks statuses, types and bodies of all kinds of calls. */
const CHECKS = 'response_headers_conformance';

const NOT_PASSED_ON = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade']);
const wholeBody = async (request: IncomingMessage): Promise<Buffer> =>
  Buffer.concat((await request.toArray()) as Buffer[]);

/**
 * Passes calls on to the gateway as a signed-in person, and judges the answers. Schemathesis cannot keep a session that
 * it ends itself, and does not know which messages there are.
 */
async function openProxy(system: TestSystem, role: Role, { judge, random }: { judge: Judge; random: Random }) {
  let person = newPerson(system, role);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [body, now] = await Promise.all([wholeBody(request), person]);
    const { method = 'GET', url = '/' } = request;
    const id = random.pick([now.messageId, now.userId, undefined]);
    const target = id === undefined ? url : url.replace(/\/\d+(?=[/.?]|$)/, `/${id}`);
    const headers = { ...request.headers, cookie: undefined, 'accept-encoding': 'identity', ...headersOf(now, system) };
    const sent = Object.fromEntries(
      Object.entries(headers).filter(([name, value]) => value !== undefined && !NOT_PASSED_ON.has(name)),
    );
    const answered = await call(system.url, { method, path: target, headers: sent, body });
    if (answered === undefined) {
      judge.fault(`${method}: the connection ended without an answer`, target.slice(0, 300));
      response.destroy();
      return;
    }
    judge.answer(`schemathesis as ${role}`, answered);
    if (answered.status === 401 && now.cookie !== undefined) person = newPerson(system, role);
    for (const [name, value] of Object.entries(answered.headers))
      if (value !== undefined && !NOT_PASSED_ON.has(name)) response.setHeader(name, value);
    response.writeHead(answered.status).end(answered.content);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      judge.fault((error as Error).message);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface SchemathesisOptions {
  system: TestSystem;
  judge: Judge;
  random: Random;
  /** Python with the package. */
  python: string;
  seed: number;
  seconds: number;
  /** Its reports, one for each role. */
  folder: string;
  signal: AbortSignal;
}

/** The parts of its report that are read. */
interface Report {
  /** False if it did not come to its end. */
  complete: boolean;
  failures: { title: string }[];
  errors: { title: string }[];
}

/** Schemathesis on the whole contract with a session of the role. */
export async function runSchemathesis(role: Role, options: SchemathesisOptions): Promise<void> {
  const { system, judge, random, python, seed, seconds, folder, signal } = options;
  const proxy = await openProxy(system, role, { judge, random });
  await mkdir(folder, { recursive: true });
  const log = path.join(folder, `schemathesis-${role}.txt`);
  const report = path.join(folder, `schemathesis-${role}.json`);
  const file = await open(log, 'w');
  const child = spawn(
    python,
    [
      ...['-m', 'schemathesis.cli', 'run', inCheckout('proto/openapi.yaml'), '--url', proxy.url],
      ...[
        '--checks',
        CHECKS,
        '--phases',
        'coverage,fuzzing,stateful',
        '--mode',
        'all',
        // Python 3.11 cannot parse in two threads at once ("AST constructor recursion depth mismatch").
        '--workers',
        '1',
        '--request-timeout',
        '40',
      ],
      ...['--max-time', String(seconds), '--seed', String(seed), '--generation-database', 'none'],
      ...['--report-json-path', report],
      ...['--no-shrink', '--continue-on-failure', '--no-color', '--warnings', 'off'],
    ],
    { cwd: folder, stdio: ['ignore', file.fd, file.fd], detached: true },
  );
  const stop = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', stop, { once: true });
  // Its own limit is only looked at between two cases.
  const deadline = setTimeout(stop, (seconds + 60) * 1_000);
  const [status] = (await once(child, 'close')) as [number | null];
  clearTimeout(deadline);
  signal.removeEventListener('abort', stop);
  await file.close();
  proxy.close();
  signal.throwIfAborted();
  // When its time is up in the middle of a pass, it ends with 1 although it found nothing.
  const { complete, failures, errors } = JSON.parse(
    await readFile(report, 'utf8').catch(() => '{}'),
  ) as Partial<Report>;
  if (complete !== true) judge.fault(`schemathesis as ${role} ended early, with ${status ?? 'a signal'}`, log);
  for (const { title } of [...(failures ?? []), ...(errors ?? [])])
    judge.fault(`schemathesis as ${role}: ${title}`, log);
}
