import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { inCheckout, SetupError, valueOf } from '@najwa/dev/bootstrap/environment';
import { writeKubernetesSecrets } from '@najwa/dev/bootstrap/secret-files';
import { composeImage } from '@najwa/dev/infrastructure/docker';
import { openSupervisor } from '@najwa/dev/processes/supervisor';
import type { Reporter } from '@najwa/dev/reporter';
import { SERVICE_NAMES } from '@najwa/dev/system/environment';
import type { LoadTarget } from '@najwa/testing/load';
import { createCheckRunner } from '@najwa/testing/runner/check-runner';
import { testRunningSystem, type Suite } from '@najwa/testing/runner/running-system-suites';
import { kubectl, NAMESPACE } from './kubectl.js';
import { applyOverlay, localSteps, nodesSteps, type Step } from './steps.js';

const INFRASTRUCTURE = ['mongo', 'rabbitmq', 'minio'] as const;
const IMAGES = [...SERVICE_NAMES, 'web'].map((name) => `najwa/${name}:dev`);

/** Applied to an empty namespace. */
interface Deployment {
  name: string;
  overlay: string;
  steps: (target: LoadTarget) => Step[];
  suites: readonly Suite[];
}

const DEPLOYMENTS: readonly Deployment[] = [
  {
    name: 'the local overlay becomes ready',
    overlay: 'test',
    steps: localSteps,
    suites: [
      {
        name: 'the journey passes in a browser',
        args: ['web/e2e/slice', 'web/e2e/voice', 'web/e2e/public-page', '--selectProjects', 'browser'],
      },
    ],
  },
  {
    name: 'RabbitMQ on three nodes and MinIO on four become ready',
    overlay: 'test-nodes',
    steps: nodesSteps,
    suites: [],
  },
];

/**
 * By a command such as `kind load docker-image`.
 * @returns how many
 */
async function loadImages(command: string): Promise<number> {
  const [program = '', ...args] = command.split(/\s+/);
  const images = [...(await Promise.all(INFRASTRUCTURE.map(composeImage))), ...IMAGES];
  await promisify(execFile)(program, [...args, ...images]).catch((error: unknown) => {
    const { stderr } = error as { stderr?: string };
    throw new SetupError(`NAJWA_CLUSTER_LOAD failed (npm run images builds the images): ${stderr ?? String(error)}`);
  });
  return images.length;
}

async function readAdminSecret(): Promise<string> {
  const { ADMIN_SECRET = '' } = parseEnv(
    await readFile(inCheckout('deploy/k8s/overlays/local/secrets/admin.env'), 'utf8'),
  );
  return ADMIN_SECRET;
}

export interface ClusterTestOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** Parts of step names. */
  wanted: readonly string[];
  environment?: NodeJS.ProcessEnv;
}

/**
 * Deploys to the cluster of kubectl's context, tests it, and removes it.
 * @returns the exit status
 */
export async function testCluster({ reporter, signal, wanted, environment = process.env }: ClusterTestOptions) {
  const origin = valueOf(environment, 'NAJWA_CLUSTER_URL') ?? 'http://localhost:30080';
  const keep = valueOf(environment, 'NAJWA_CLUSTER_KEEP') !== undefined;
  await kubectl(['version']).catch((error: unknown) => {
    throw new SetupError(`No cluster answers. Set KUBECONFIG or kubectl's context. ${String(error)}`);
  });
  const existing = await kubectl(['get', 'namespace', NAMESPACE, '--ignore-not-found', '-o', 'name']);
  if (existing !== '' && !keep)
    throw new SetupError(`The cluster has a namespace ${NAMESPACE}, which this test would delete.`);
  await writeKubernetesSecrets();
  const load = valueOf(environment, 'NAJWA_CLUSTER_LOAD');
  if (load !== undefined) {
    const step = reporter.step('Images');
    step.doing('loading');
    step.done(`${await loadImages(load)} loaded`);
  }
  const target = { origin, adminSecret: await readAdminSecret() };
  const isWanted = ({ name }: { name: string }): boolean =>
    wanted.length === 0 || wanted.some((word) => name.includes(word));
  const checks = createCheckRunner(reporter, signal);
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-cluster-'));
  const supervisor = await openSupervisor(path.join(folder, 'data'), { temporary: true });
  try {
    for (const deployment of DEPLOYMENTS) {
      const steps = deployment.steps(target).filter(isWanted);
      const suites = deployment.suites.filter(isWanted);
      if (steps.length + suites.length === 0 && !isWanted(deployment)) continue;
      try {
        const overlay = inCheckout('deploy/k8s/overlays', deployment.overlay);
        // Required by all else.
        if (!(await checks.check(deployment.name, () => applyOverlay(overlay, target)))) continue;
        if (suites.length > 0)
          checks.add(
            await testRunningSystem(suites, {
              running: { url: origin, adminSecret: target.adminSecret },
              ...{ folder, supervisor, reporter, signal },
            }),
          );
        for (const { name, run } of steps) await checks.check(name, run);
      } finally {
        if (!keep) await kubectl(['delete', 'namespace', NAMESPACE, '--wait=true']);
      }
      // The next one needs an empty namespace.
      if (keep) break;
    }
  } finally {
    await supervisor.release();
    await rm(folder, { recursive: true, force: true });
  }
  return checks.finish();
}
