import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ParkedEvents } from '@najwa/common/amqp';
import { checkoutRoot, inCheckout, SetupError } from '@najwa/dev/bootstrap/environment';
import { K6, provideGoTool } from '@najwa/dev/bootstrap/go-programs';
import { npm } from '@najwa/dev/bootstrap/processes';
import { asStep, type Reporter, type Step } from '@najwa/dev/reporter';
import { choosePorts, startSystem, type System } from '@najwa/dev/system';
import { SERVICE_NAMES } from '@najwa/dev/system/environment';
import { provideSecrets } from '@najwa/dev/system/secrets';
import { deleteTopology, dropDatabase } from '@najwa/testing';

const run = promisify(execFile);

export interface RolloutOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** Commit of the earlier version. */
  ref: string;
}

interface Lockfile {
  packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>;
}

/** The packages that services run with, and their versions. */
async function runtimePackages(checkout: string): Promise<string> {
  const { packages } = JSON.parse(await readFile(path.join(checkout, 'package-lock.json'), 'utf8')) as Lockfile;
  const found = Object.entries(packages).filter(([, { dev = false, link = false }]) => !dev && !link);
  return JSON.stringify(
    found.filter(([name]) => name.includes('node_modules/')).map(([name, { version }]) => [name, version]),
  );
}

/**
 * Checks out the earlier version and compiles its services. Packages are shared if those that run are the same, except
 * for our own.
 * @returns the folder of the checkout
 */
async function buildEarlier(folder: string, ref: string, { signal, step }: { signal: AbortSignal; step: Step }) {
  const checkout = path.join(folder, 'earlier');
  const inRoot = { cwd: checkoutRoot };
  await run('git', ['worktree', 'add', '--detach', checkout, ref], inRoot).catch((error: { stderr: string }) => {
    throw new SetupError(`"${ref}" cannot be checked out: ${error.stderr.trim()}`);
  });
  if ((await runtimePackages(checkoutRoot)) === (await runtimePackages(checkout))) await sharePackages(checkout);
  else {
    step.doing('npm ci');
    const install = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', checkout];
    await npm('Installing the packages of the earlier version', install, { signal });
  }
  const prepare = ['run', 'prepare', '--if-present', '--prefix', path.join(checkout, 'proto')];
  await npm('Generating the code of its contracts', prepare, { signal });
  step.doing('compiling');
  const compiler = pathToFileURL(path.join(checkout, 'deploy/dev/src/bootstrap/compile.js')).href;
  await ((await import(compiler)) as { compilePackages: () => Promise<void> }).compilePackages();
  return checkout;
}

async function sharePackages(checkout: string): Promise<void> {
  const folders = ['.', ...(await readdir(inCheckout('services'))).map((name) => `services/${name}`)];
  for (const folder of folders) {
    const entries = await readdir(inCheckout(folder, 'node_modules')).catch(() => []);
    if (entries.length === 0) continue;
    const target = path.join(checkout, folder, 'node_modules');
    await mkdir(path.join(target, '@najwa'), { recursive: true });
    for (const entry of entries)
      if (entry !== '@najwa') await symlink(inCheckout(folder, 'node_modules', entry), path.join(target, entry));
  }
  const own = path.join(checkout, 'node_modules/@najwa');
  await symlink(path.join(checkout, 'proto'), path.join(own, 'proto'));
  for (const name of await readdir(path.join(checkout, 'services')))
    await symlink(path.join(checkout, 'services', name), path.join(own, name)).catch(() => undefined);
}

async function runLoad(addresses: string[], adminSecret: string, signal: AbortSignal): Promise<void> {
  const k6 = await provideGoTool(K6, signal);
  const child = spawn(k6, ['run', '--quiet', inCheckout('deploy/k6/main.ts')], {
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      K6_NO_USAGE_REPORT: 'true',
      NAJWA_ADDRESS: addresses.join(','),
      // Together they use every call between services, and every event.
      NAJWA_SCENARIOS: 'journey,visit,admin,chat,voice',
      NAJWA_SMOKE: '0',
      // The machine runs everything twice: half of the arrivals, and no times.
      NAJWA_SCALE: '0.3',
      NAJWA_PLATEAU: '20',
      NAJWA_TIMES: '0',
      ADMIN_SECRET: adminSecret,
    },
  });
  signal.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  const [status] = (await once(child, 'close')) as [number];
  signal.throwIfAborted();
  if (status !== 0) throw new Error('The load found errors. The summary marks them with a cross.');
}

/** Errors that services have logged, by service and message. */
async function loggedErrors(folder: string, version: string): Promise<string[]> {
  const found = await Promise.all(
    SERVICE_NAMES.map(async (name) => {
      const lines = (await readFile(path.join(folder, 'logs', `${name}.log`), 'utf8')).split('\n');
      return lines
        .filter((line) => /^\{"level":"(error|fatal)"/.test(line))
        .map((line) => `${name} of ${version}: ${(JSON.parse(line) as { msg: string }).msg}`);
    }),
  );
  return [...new Set(found.flat())];
}

/**
 * Runs an earlier version and this one side by side, as in the middle of a rollout: on the same databases, broker and
 * files. The services of each version call those of the other, events go to either, and the load's requests come in
 * through both gateways in turn.
 * @returns the status to exit with
 */
export async function testRollout({ reporter, signal, ref }: RolloutOptions): Promise<number> {
  const name = `rollout-${randomUUID().slice(0, 8)}`;
  const folder = await mkdtemp(path.join(tmpdir(), `najwa-${name}-`));
  const systems: System[] = [];
  const step = reporter.step(`Earlier version ${ref}`);
  try {
    const earlier = await buildEarlier(folder, ref, { signal, step });
    step.done('compiled');
    const [dataDir, earlierData] = [path.join(folder, 'data'), path.join(folder, 'earlier-data')];
    const environment = {
      ...process.env,
      AMQP_PREFIX: name,
      S3_BUCKET: name,
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: 'info',
    };
    const [ports, earlierPorts] = [await choosePorts(), await choosePorts()];
    await mkdir(dataDir, { mode: 0o700 });
    const secrets = await provideSecrets(dataDir, environment);
    const common = { reporter, signal, persistent: false, databasePrefix: name };
    const current = await startSystem({
      ...common,
      dataDir,
      environment,
      overrides: { secrets, ports, callsOf: () => earlierPorts },
    });
    systems.push(current);
    systems.push(
      await startSystem({
        ...common,
        dataDir: earlierData,
        environment: { ...environment, ...current.infrastructure.env },
        overrides: { secrets, ports: earlierPorts, callsOf: () => ports, checkout: earlier },
      }),
    );

    const urls = systems.map(({ url }) => url);
    await asStep(reporter, 'Load through both gateways', () => runLoad(urls, secrets.ADMIN_SECRET, signal));
    const { AMQP_URL = '', MONGO_URL = '' } = current.infrastructure.env;
    const parkedEvents = await ParkedEvents.open({ url: AMQP_URL, prefix: name });
    const parked = await parkedEvents.list();
    await parkedEvents.close();
    const faults = [
      ...parked.map(({ queue, name: event, reason }) => `parked in ${queue}: ${event ?? 'an event'} (${reason})`),
      ...(await loggedErrors(dataDir, 'this version')),
      ...(await loggedErrors(earlierData, 'the earlier version')),
    ];
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    await deleteTopology(AMQP_URL, name);
    await Promise.all(SERVICE_NAMES.map((service) => dropDatabase(MONGO_URL, `${name}_${service}`)));
    process.stdout.write(faults.length === 0 ? `Both versions run side by side: ${ref} and this one.\n` : 'Failed.\n');
    return faults.length === 0 ? 0 : 1;
  } finally {
    // The first has the infrastructure.
    for (const system of systems.reverse()) await system.stop();
    await run('git', ['worktree', 'remove', '--force', path.join(folder, 'earlier')], { cwd: checkoutRoot }).catch(
      () => undefined,
    );
    await rm(folder, { recursive: true, force: true });
  }
}
