import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { until } from '@najwa/dev/bootstrap/processes';
import { freePort } from '@najwa/dev/processes/ports';

export interface LoadTarget {
  /** Of the gateway. */
  origin: string;
  adminSecret: string;
}

export interface LoadOptions {
  /** Of deploy/k6. */
  scenarios: readonly string[];
  scale: number;
}

/** Longer than any step. */
const PLATEAU_SECONDS = 3_600;
const START_TIMEOUT_MS = 240_000;
const SHOWN_CHARACTERS = 4_000;

const counter = z.object({ count: z.number() }).default({ count: 0 });
const summaryShape = z.object({
  metrics: z.object({
    http_reqs: counter,
    // k6 counts matches of a rate as passes: here, failed requests.
    http_req_failed: z.object({ passes: z.number() }),
    messages_lost: counter,
    messages_doubled: counter,
  }),
  root_group: z.object({ checks: z.record(z.string(), z.object({ passes: z.number(), fails: z.number() })) }),
});

/** @throws with what failed. @returns the number of requests */
function judge(text: string, output: string): number {
  const { metrics, root_group: group } = summaryShape.parse(JSON.parse(text));
  const faults = Object.entries(group.checks).flatMap(([name, { fails }]) => (fails > 0 ? [`${fails} × ${name}`] : []));
  if (metrics.http_req_failed.passes > 0) faults.push(`${metrics.http_req_failed.passes} requests failed`);
  if (metrics.messages_lost.count > 0) faults.push(`${metrics.messages_lost.count} messages lost`);
  if (metrics.messages_doubled.count > 0) faults.push(`${metrics.messages_doubled.count} messages doubled`);
  if (faults.length > 0)
    throw new Error(
      `Of ${metrics.http_reqs.count} requests: ${faults.join(', ')}.\n${output.slice(0, SHOWN_CHARACTERS)}`,
    );
  return metrics.http_reqs.count;
}

const runLoad = (args: readonly string[], { adminSecret }: LoadTarget) => {
  const child = spawn(process.execPath, [inCheckout('deploy/k6/bin/load.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ADMIN_SECRET: adminSecret },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, closed: once(child, 'close'), output: () => output };
};

/** The last line of `npm run load`. */
export type LoadFigures = Record<string, unknown>;

/** `npm run load -- all --smoke`. @throws if a threshold was crossed */
export async function smokeTest(target: LoadTarget): Promise<LoadFigures> {
  const { closed, output } = runLoad(['all', '--smoke', '--address', target.origin], target);
  const [status] = (await closed) as [number | null];
  if (status !== 0) throw new Error(output().slice(-SHOWN_CHARACTERS));
  const figures = output()
    .split('\n')
    .findLast((line) => line.startsWith('{'));
  return JSON.parse(figures ?? '{}') as LoadFigures;
}

/**
 * Runs `work` while k6 loads the deployment.
 * @returns its result, and the number of requests
 * @throws if a request failed, an answer was wrong, or a message was lost or doubled
 */
export async function underLoad(
  target: LoadTarget,
  { scenarios, scale }: LoadOptions,
  work: () => Promise<string>,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-load-'));
  const summary = path.join(folder, 'summary.json');
  const api = `127.0.0.1:${await freePort()}`;
  const load = runLoad(
    [
      ...[...scenarios, '--address', target.origin, '--no-times'],
      ...['--scale', String(scale), '--plateau', String(PLATEAU_SECONDS)],
      ...['--', '--address', api, '--summary-export', summary],
    ],
    target,
  );
  const hasBegun = (): Promise<boolean> =>
    fetch(`http://${api}/v1/metrics/iterations`).then(
      ({ ok }) => ok,
      () => false,
    );
  const isRunning = (): boolean => load.child.exitCode === null;
  try {
    await until(async () => !isRunning() || hasBegun(), { timeoutMs: START_TIMEOUT_MS, intervalMs: 250 });
    if (!isRunning() || !(await hasBegun())) throw new Error(`The load did not begin.\n${load.output()}`);
    const seen = await work();
    if (!isRunning()) throw new Error(`The load ended early.\n${load.output().slice(-SHOWN_CHARACTERS)}`);
    load.child.kill('SIGINT');
    await load.closed;
    const requests = judge(await readFile(summary, 'utf8'), load.output());
    return `${seen}, ${requests} requests, none failed`;
  } finally {
    load.child.kill('SIGINT');
    await load.closed;
    await rm(folder, { recursive: true, force: true });
  }
}
