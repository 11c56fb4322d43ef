import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkoutRoot, inCheckout, isSetupError, SetupError } from './environment.js';
import { compileGoProgramsEarly } from './go-programs.js';
import { npm } from './processes.js';
import { createReporter } from './reporter.js';

/** @typedef {import('../reporter.js').Reporter} Reporter */

const MIN_NODE = /** @type {const} */ ([20, 19]);
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.fonts', 'stubs', 'e2e', 'tests']);

/**
 * @param {Reporter} reporter
 * @param {string} [version]
 * @throws {SetupError}
 */
export function checkNode(reporter, version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
    throw new SetupError(`Najwa needs Node.js ${MIN_NODE.join('.')} or newer, and this is ${version}.`);
  }
  reporter.say(`Node.js ${version}`);
}

/** @type {(file: string) => Promise<number>} the time of the last change; 0 when there is no such file */
const modifiedAt = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** @type {(folder: string) => Promise<string[]>} */
async function filesUnder(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const nested = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [path.join(folder, entry.name)];
      return SKIPPED_FOLDERS.has(entry.name) ? [] : filesUnder(path.join(folder, entry.name));
    }),
  );
  return nested.flat();
}

/** @type {(...names: string[]) => Promise<string>} a hash over the content of files and folders of the checkout */
async function fingerprintOf(...names) {
  const nested = await Promise.all(
    names.map(async (name) => [...(await filesUnder(inCheckout(name))), inCheckout(name)]),
  );
  const hash = createHash('sha256');
  for (const file of nested.flat().sort()) {
    const content = await readFile(file).catch(() => undefined);
    if (content) hash.update(`${path.relative(checkoutRoot, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Removed together with node_modules. */
const stampFile = (/** @type {string} */ name) => inCheckout('node_modules/.cache/najwa', name);

const readStamp = (/** @type {string} */ name) => readFile(stampFile(name), 'utf8').catch(() => '');

/** @type {(name: string, value: string) => Promise<void>} */
async function writeStamp(name, value) {
  await mkdir(path.dirname(stampFile(name)), { recursive: true });
  await writeFile(stampFile(name), value);
}

/** @type {(reporter: Reporter, name: string, work: (step: import('../reporter.js').Step) => Promise<string>) => Promise<void>} */
async function runStep(reporter, name, work) {
  const step = reporter.step(name);
  try {
    step.done(await work(step));
  } catch (error) {
    step.fail();
    throw error;
  }
}

/**
 * Installs the packages if they are missing or the lockfile has changed.
 * @param {Reporter} reporter
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function installPackages(reporter, signal) {
  return runStep(reporter, 'Packages', async (step) => {
    const wanted = await fingerprintOf('package-lock.json');
    const lockfile = inCheckout('package-lock.json');
    const installed = inCheckout('node_modules/.package-lock.json');
    // npm install leaves no stamp, but a result as new as the lockfile.
    const isCurrent =
      (await readStamp('packages')) === wanted || (await modifiedAt(installed)) >= (await modifiedAt(lockfile));
    if (isCurrent && (await modifiedAt(installed)) > 0) return 'installed';
    step.doing('npm ci');
    await npm('Installing the packages', ['ci', '--no-audit', '--no-fund'], { signal });
    await writeStamp('packages', wanted);
    return 'installed now';
  });
}

/**
 * Generates the code of the contracts if they have changed. `npm ci` does so too, for editors.
 * @param {AbortSignal} [signal]
 */
export async function generateCode(signal) {
  const sources = await fingerprintOf('proto/najwa', 'proto/buf.gen.yaml', 'proto/package.json');
  if ((await readStamp('generated')) === sources && (await modifiedAt(inCheckout('proto/src/gen'))) > 0) return;
  await npm('Generating the code of the contracts', ['run', 'prepare', '--workspace', 'proto'], { signal });
  await writeStamp('generated', sources);
}

/**
 * Compiles all services if a source has changed.
 * @param {Reporter} reporter
 */
export function compileServices(reporter) {
  return runStep(reporter, 'Services compiled', async () => {
    await generateCode();
    const { compiledPackages, compilePackages } = await import('./compile.js');
    const folders = await compiledPackages();
    const sources = await fingerprintOf(...folders, 'tsconfig.base.json', 'tsconfig.build.json', 'package-lock.json');
    const isCompiled = await Promise.all(
      folders.map(async (folder) => (await modifiedAt(inCheckout(folder, 'dist'))) > 0),
    );
    if ((await readStamp('services')) === sources && isCompiled.every(Boolean)) return 'up to date';
    await compilePackages();
    await writeStamp('services', sources);
    return 'compiled now';
  });
}

/**
 * Builds the web client if a source has changed.
 * @param {Reporter} reporter
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function buildWeb(reporter, signal) {
  return runStep(reporter, 'Web client', async (step) => {
    // Stated on the client's pages.
    const { TRACKING, TRACKING_RETENTION_DAYS, CONTACT_ADDRESS, HELP_TEXT_AR, HELP_TEXT_EN } = process.env;
    const files = await fingerprintOf('web', 'proto', 'package-lock.json');
    const stated = [TRACKING_RETENTION_DAYS, CONTACT_ADDRESS, TRACKING, HELP_TEXT_AR, HELP_TEXT_EN];
    const sources = [files, ...stated].join(' ').trimEnd();
    if ((await readStamp('web')) === sources && (await modifiedAt(inCheckout('web/dist/server/render.json'))) > 0)
      return 'up to date';
    step.doing('vite build');
    await npm('Building the web client', ['run', 'build', '--workspace', 'web'], { signal });
    await writeStamp('web', sources);
    return 'built now';
  });
}

/**
 * Runs `npm start`, `npm test` and the benchmarks: checks the Node.js version, handles signals, and shows set-up errors
 * without a stack trace. Compiles Go programs in parallel, because that takes longest on a new machine.
 * @param {(frame: { reporter: Reporter, signal: AbortSignal }) => Promise<number>} work gives the status to exit with
 * @param {{ statusWhenStopped: number, needsInfrastructure?: boolean }} options
 * @returns {Promise<void>}
 */
export async function runCommand(work, { statusWhenStopped, needsInfrastructure = true }) {
  const reporter = createReporter();
  const stopping = new AbortController();
  // Ignores further signals: npm forwards those that the terminal has sent already.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  /** @type {Promise<void> | undefined} */
  let goPrograms;
  try {
    checkNode(reporter);
    if (needsInfrastructure) goPrograms = compileGoProgramsEarly(reporter, signal);
    process.exitCode = await work({ reporter, signal });
  } catch (error) {
    if (signal.aborted) {
      process.exitCode = statusWhenStopped;
      return;
    }
    stopping.abort();
    if (!isSetupError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await goPrograms;
  }
}
