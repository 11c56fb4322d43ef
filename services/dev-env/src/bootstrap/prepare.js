import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { checkoutRoot, inCheckout, SetupError } from './environment.js';
import { compileGoProgramsEarly } from './go-programs.js';
import { command, npm } from './processes.js';
import { createReporter } from './reporter.js';

/** @typedef {import('../reporter.js').Reporter} Reporter */

const OLDEST_NODE = /** @type {const} */ ([20, 19]);
const COMPRESSIBLE = /\.(css|html|js|json|svg)$/;
const MIN_COMPRESSED_BYTES = 1_024;
const WORKSPACES = ['proto', 'services', 'web', 'deploy/bench'];
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'stubs', 'e2e', 'tests']);

/**
 * @param {Reporter} reporter
 * @param {string} [version]
 * @throws {SetupError}
 */
export function checkNode(reporter, version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new SetupError(`Najwa needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${version}.`);
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
    entries.map((entry) => {
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

/** Inside node_modules, so that removing it removes the stamps as well. */
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
    // npm install leaves no stamp. Its result is at least as new as the lockfile.
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
 * Compiles all services if a source has changed.
 * @param {Reporter} reporter
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function compileServices(reporter, signal) {
  return runStep(reporter, 'Services compiled', async (step) => {
    const sources = await fingerprintOf(...WORKSPACES, 'tsconfig.base.json', 'tsconfig.json', 'package-lock.json');
    const services = await readdir(inCheckout('services'));
    const isCompiled = await Promise.all(
      services.map(async (name) => {
        const folder = inCheckout('services', name);
        const sourceOf = async (/** @type {string} */ file) =>
          (await modifiedAt(path.join(folder, 'src', `${file}.ts`))) > 0;
        const file = (await sourceOf('main')) ? 'main' : 'index';
        return (await modifiedAt(path.join(folder, 'dist', `${file}.js`))) > 0;
      }),
    );
    if ((await readStamp('services')) === sources && isCompiled.every(Boolean)) return 'up to date';
    step.doing('tsc --build');
    await command('Compiling', process.execPath, [inCheckout('node_modules/typescript/bin/tsc'), '--build'], {
      signal,
    });
    await writeStamp('services', sources);
    return 'compiled now';
  });
}

/** @type {(folder: string) => Promise<void>} */
async function compressFiles(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !COMPRESSIBLE.test(file)) continue;
    const content = await readFile(file);
    if (content.length < MIN_COMPRESSED_BYTES) continue;
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

/**
 * Builds the web client, with a compressed copy of each file, if a source has changed.
 * @param {Reporter} reporter
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function buildWeb(reporter, signal) {
  return runStep(reporter, 'Web client', async (step) => {
    const sources = await fingerprintOf('web', 'proto', 'package-lock.json');
    if ((await readStamp('web')) === sources && (await modifiedAt(inCheckout('web/dist/index.html'))) > 0)
      return 'up to date';
    step.doing('vite build');
    await npm('Building the web client', ['run', 'build', '--workspace', 'web'], { signal });
    await compressFiles(inCheckout('web/dist'));
    await writeStamp('web', sources);
    return 'built now';
  });
}

/**
 * Runs `npm start`, `npm test` and the benchmarks: checks the Node.js version, handles signals, and shows set-up errors
 * without a stack trace. Compiles Go programs in parallel, because that takes longest on a new machine.
 * @param {(frame: { reporter: Reporter, signal: AbortSignal }) => Promise<number>} work gives the status to exit with
 * @param {{ statusWhenStopped: number }} options
 * @returns {Promise<void>}
 */
export async function runCommand(work, { statusWhenStopped }) {
  const reporter = createReporter();
  const stopping = new AbortController();
  // Ignore further signals: npm forwards signals that the terminal has already sent.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  /** @type {Promise<void> | undefined} */
  let goPrograms;
  try {
    checkNode(reporter);
    goPrograms = compileGoProgramsEarly(reporter, signal);
    process.exitCode = await work({ reporter, signal });
  } catch (error) {
    if (signal.aborted) {
      process.exitCode = statusWhenStopped;
      return;
    }
    stopping.abort();
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await goPrograms;
  }
}
