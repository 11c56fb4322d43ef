import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

export const NAMESPACE = 'najwa';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const run = promisify(execFile);

/** In the current context. @returns its output. @throws with its message */
export async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const running = run('kubectl', [...args], { maxBuffer: MAX_OUTPUT_BYTES });
  if (input !== undefined) running.child.stdin?.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const reason = stderr === '' ? String(error) : stderr.trim();
    throw new Error(`kubectl ${args.join(' ')}: ${reason}`, { cause: error });
  }
}

export const inNamespace = (...args: readonly string[]): Promise<string> =>
  kubectl(['--namespace', NAMESPACE, ...args]);

const podList = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        name: z.string(),
        deletionTimestamp: z.string().optional(),
        labels: z.record(z.string(), z.string()),
      }),
      status: z.object({
        podIP: z.string().default(''),
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
      }),
    }),
  ),
});

export interface Pod {
  name: string;
  /** Service or infrastructure part. */
  part: string;
  ip: string;
  isReady: boolean;
}

/** Without pods being removed. */
export async function podsOf(part?: string): Promise<Pod[]> {
  const selector = part === undefined ? 'app.kubernetes.io/name' : `app.kubernetes.io/name=${part}`;
  const { items } = podList.parse(JSON.parse(await inNamespace('get', 'pods', '--selector', selector, '-o', 'json')));
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, status }) => ({
      name: metadata.name,
      part: metadata.labels['app.kubernetes.io/name'] ?? '',
      ip: status.podIP,
      isReady: status.conditions.some(({ type, status: held }) => type === 'Ready' && held === 'True'),
    }));
}

export const rolledOut = (workload: string, seconds: number): Promise<string> =>
  inNamespace('rollout', 'status', workload, `--timeout=${seconds}s`);

/** @returns its output */
export const runInPod = (pod: string, script: string): Promise<string> =>
  inNamespace('exec', pod, '--', 'node', '--input-type=module', '--eval', script);

/** Through the API server. */
export const metricsOf = (pod: string, port = 8080): Promise<string> =>
  kubectl(['get', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods/${pod}:${port}/proxy/metrics`]);

/**
 * As draining a node does: retries while the disruption budget refuses.
 * @returns how often it refused
 */
export async function evict(pod: string): Promise<number> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: NAMESPACE } };
  for (let refusals = 0; ; refusals++) {
    try {
      const path = `/api/v1/namespaces/${NAMESPACE}/pods/${pod}/eviction`;
      await kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(eviction));
      return refusals;
    } catch (error) {
      if (!(error instanceof Error) || !/disruption budget|TooManyRequests/.test(error.message)) throw error;
      await wait(1_000);
    }
  }
}
