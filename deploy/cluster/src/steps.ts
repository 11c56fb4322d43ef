import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@najwa/dev/bootstrap/processes';
import { smokeTest, underLoad, type LoadTarget } from '@najwa/testing/load';
import { evict, inNamespace, kubectl, metricsOf, podsOf, rolledOut } from './kubectl.js';
import { walkNetwork } from './network.js';

/** @returns a summary. @throws if it does not hold */
export interface Step {
  name: string;
  run: () => Promise<string>;
}

const ROLLOUT_SECONDS = 600;
const WORKLOADS = ['statefulset', 'deployment'] as const;
/** Keeps every pod busy, yet suits a laptop. */
const LOAD = { scenarios: ['visit', 'journey'], scale: 0.2 };
const LOAD_WITH_VOICES = { scenarios: ['visit', 'journey', 'voice'], scale: 0.2 };
const HIGH_LOAD = { scenarios: ['visit', 'journey'], scale: 1 };
const SCALE_UP_MS = 300_000;
const SCALE_DOWN_MS = 480_000;
/** Needed by visitors. */
const PARTS = ['gateway', 'auth', 'messages', 'media', 'web'] as const;
const MEASURED_MS = 30_000;
const READY_MS = 120_000;

const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1_000)} s`;

async function waitForEverything(): Promise<void> {
  for (const kind of WORKLOADS) {
    const names = await inNamespace('get', kind, '-o', 'name');
    for (const name of names.trim().split('\n')) await rolledOut(name, ROLLOUT_SECONDS);
  }
}

/** Waits until everything is ready. */
export async function applyOverlay(overlay: string, { origin }: LoadTarget): Promise<string> {
  const since = performance.now();
  await kubectl(['apply', '-k', overlay]);
  await waitForEverything();
  const answers = (): Promise<boolean> =>
    fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await until(answers, { timeoutMs: 60_000, intervalMs: 200 }))) throw new Error(`Nothing answers at ${origin}.`);
  return seconds(since);
}

async function restart(name: string): Promise<string> {
  const since = performance.now();
  await inNamespace('rollout', 'restart', `deployment/${name}`);
  await rolledOut(`deployment/${name}`, ROLLOUT_SECONDS);
  // The last old pod still drains.
  await wait(15_000);
  return `rolled out in ${seconds(since)}`;
}

async function deletePods(): Promise<string> {
  for (const part of PARTS) {
    const [pod] = await podsOf(part);
    if (pod) await inNamespace('delete', 'pod', pod.name, '--wait=true');
    await rolledOut(`deployment/${part}`, ROLLOUT_SECONDS);
  }
  return `one of each of ${PARTS.join(', ')}`;
}

async function evictPods(): Promise<string> {
  let evicted = 0;
  let refusals = 0;
  for (const part of PARTS)
    for (const { name } of await podsOf(part)) {
      refusals += await evict(name);
      evicted += 1;
    }
  await waitForEverything();
  return `${evicted} pods, refused ${refusals} times by the budgets`;
}

/** A counter, or the count of a histogram. */
const total = (metrics: string, name: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

const callsOf = async (pod: string): Promise<number> =>
  total(await metricsOf(pod), 'grpc_server_duration_seconds_count');

/** Waits until the new pod gets calls, then counts the calls of each. */
async function moveToNewPod(): Promise<string> {
  const before = (await podsOf('auth')).map(({ name }) => name);
  await inNamespace('delete', 'pod', before[0] ?? '', '--wait=false');
  let added: string | undefined;
  const findAdded = async (): Promise<boolean> => {
    added = (await podsOf('auth')).find(({ name, isReady }) => isReady && !before.includes(name))?.name;
    return added !== undefined;
  };
  if (!(await until(findAdded, { timeoutMs: READY_MS, intervalMs: 1_000 })) || added === undefined)
    throw new Error('No new pod of auth became ready.');
  const pod = added;
  const since = performance.now();
  const isCalled = async (): Promise<boolean> => (await callsOf(pod)) > 0;
  if (!(await until(isCalled, { timeoutMs: READY_MS, intervalMs: 500 })))
    throw new Error('The new pod of auth was never called.');
  const waited = seconds(since);
  const pods = (await podsOf('auth')).filter(({ isReady }) => isReady);
  const count = (): Promise<number[]> => Promise.all(pods.map(({ name }) => callsOf(name)));
  const start = await count();
  await wait(MEASURED_MS);
  const shares = (await count()).map((calls, index) => calls - (start[index] ?? 0));
  if (shares.includes(0)) throw new Error(`A pod of auth got no call: ${shares.join(', ')}.`);
  return `first call after ${waited}, calls of each pod in ${MEASURED_MS / 1_000} s: ${shares.join(', ')}`;
}

const replicasOf = async (name: string): Promise<number> =>
  Number(await inNamespace('get', 'deployment', name, '-o', 'jsonpath={.status.readyReplicas}'));

const minReplicasOf = async (name: string): Promise<number> =>
  Number(await inNamespace('get', 'hpa', name, '-o', 'jsonpath={.spec.minReplicas}'));

/** Until all of `names` have grown and shrunk again. */
async function scale(target: LoadTarget, names: readonly string[]): Promise<string> {
  const counts = (): Promise<number[]> => Promise.all(names.map(replicasOf));
  const smallest = await Promise.all(names.map(minReplicasOf));
  const shrink = async (): Promise<void> => {
    const areSmall = async (): Promise<boolean> =>
      (await counts()).every((count, index) => count <= (smallest[index] ?? 0));
    if (!(await until(areSmall, { timeoutMs: SCALE_DOWN_MS, intervalMs: 2_000 })))
      throw new Error(`Not all shrank: ${(await counts()).join(', ')} of ${names.join(', ')}.`);
  };
  // Earlier steps may have scaled up.
  await shrink();
  let most = smallest;
  const haveGrown = async (): Promise<boolean> => {
    const now = await counts();
    most = most.map((count, index) => Math.max(count, now[index] ?? 0));
    return most.every((count, index) => count > (smallest[index] ?? 0));
  };
  const grown = await underLoad(target, HIGH_LOAD, async () => {
    const since = performance.now();
    const didGrow = await until(haveGrown, { timeoutMs: SCALE_UP_MS, intervalMs: 2_000 });
    const seen = names.map((name, index) => `${name} ${smallest[index]} to ${most[index]}`).join(', ');
    if (!didGrow) throw new Error(`Not all grew: ${seen}.`);
    return `${seen} in ${seconds(since)}`;
  });
  const since = performance.now();
  await shrink();
  return `${grown}, and back in ${seconds(since)}`;
}

const smokeStep = (name: string, target: LoadTarget): Step => ({
  name,
  async run() {
    await smokeTest(target);
    return 'visits, a journey, voices, the assistant and administrators';
  },
});

export const localSteps = (target: LoadTarget): Step[] => [
  smokeStep('the smoke test passes', target),
  {
    // Threat model: metrics-2, else-1.
    name: 'pods reach what the design draws, and nothing else',
    async run() {
      const { tried, allowed, faults } = await walkNetwork();
      if (faults.length > 0)
        throw new Error(`${faults.length} of ${tried} pairs:\n  ${[...new Set(faults)].join('\n  ')}`);
      return `${tried} pairs, ${allowed} connect`;
    },
  },
  ...['messages', 'auth', 'media', 'gateway'].map((name) => ({
    name: `a rolling update of ${name} loses no request`,
    run: () => underLoad(target, name === 'media' ? LOAD_WITH_VOICES : LOAD, () => restart(name)),
  })),
  { name: 'deleted pods lose no request', run: () => underLoad(target, LOAD_WITH_VOICES, deletePods) },
  {
    name: 'evicting every pod that visitors need, as a drained node does, loses no request',
    run: () => underLoad(target, LOAD_WITH_VOICES, evictPods),
  },
  {
    name: 'gRPC calls move to a new pod and are balanced over all',
    run: () => underLoad(target, LOAD, moveToNewPod),
  },
  {
    name: 'autoscaling grows and shrinks messages and the gateway',
    run: () => scale(target, ['messages', 'gateway']),
  },
];

/** With several nodes of RabbitMQ and MinIO. */
export const nodesSteps = (target: LoadTarget): Step[] => [
  smokeStep('the smoke test passes on several nodes', target),
  {
    name: 'the loss of one node of RabbitMQ and one of MinIO loses no request',
    run: () =>
      underLoad(target, LOAD, async () => {
        const since = performance.now();
        for (const part of ['rabbitmq', 'minio']) {
          await inNamespace('delete', 'pod', `${part}-1`, '--wait=true');
          await rolledOut(`statefulset/${part}`, ROLLOUT_SECONDS);
        }
        return `both back in ${seconds(since)}`;
      }),
  },
];
