import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCache } from './cache.js';
import { inCheckout, Unavailable, valueOf } from './environment.js';
import { onPath, run, succeeds } from './processes.js';

/**
 * A program that is compiled here. `name` is the folder of deploy/local whose go.mod pins it, `niceness` as of `nice`.
 * @typedef {{ name: string, package: string, niceness?: number }} GoProgram
 */

/** Texts work without it, so what they need comes first. @type {GoProgram} */
export const MINIO = { name: 'minio', package: 'github.com/minio/minio', niceness: 10 };
/** @type {GoProgram} */
export const FERRETDB = { name: 'ferretdb', package: 'github.com/FerretDB/FerretDB/v2/cmd/ferretdb' };

/** @type {GoProgram} */
export const K6 = { name: 'k6', package: 'go.k6.io/k6' };

export const MONGOD_DOWNLOAD = 'https://fastdl.mongodb.org/';
const DOWNLOAD_TIMEOUT_MS = 3_000;

/** @type {(program: GoProgram) => Promise<string>} */
async function keyOf({ name }) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(inCheckout('deploy/local', name, file)));
  return `${name}-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * @param {GoProgram} program
 * @param {import('./cache.js').Cache} cache
 * @returns {Promise<boolean>}
 */
export const isCompiled = async (program, cache) => cache.has(await keyOf(program));

/**
 * Compiles a pinned Go program, once.
 * @param {GoProgram} program
 * @param {{ cache: import('./cache.js').Cache, log: string, signal?: AbortSignal | undefined }} options
 * @param {import('../reporter.js').Step} step
 * @returns {Promise<string>} the executable
 * @throws {Unavailable} if there is no Go compiler
 */
export async function compileGoProgram(program, { cache, log, signal }, step) {
  const key = await keyOf(program);
  const { name, niceness = 0 } = program;
  if (!(await cache.has(key))) {
    if (!(await onPath('go'))) throw new Unavailable(`there is no Go to compile ${name} with`);
    step.doing(`compiling ${name}`);
  }
  // Faster without debug information.
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-gcflags=all=-dwarf=false', '-ldflags=-s -w'];
  const folder = await cache.once(
    key,
    (fresh) =>
      run('go', ['build', ...flags, '-o', path.join(fresh, name), program.package], {
        what: `Compiling ${name}`,
        log,
        cwd: inCheckout('deploy/local', name),
        env: { CGO_ENABLED: '0', GOGC: '400' },
        niceness,
        signal,
      }),
    signal,
  );
  return path.join(folder, name);
}

/**
 * A tool of a check or a script: the one on PATH, or compiled here, once.
 * @param {GoProgram} program
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} the executable
 * @throws {Unavailable} if it is not on PATH and there is no Go compiler
 */
export async function provideGoTool(program, signal) {
  const found = await onPath(program.name);
  if (found !== undefined) return found;
  const cache = createCache(process.env);
  await mkdir(cache.folder, { recursive: true });
  const log = path.join(cache.folder, `${program.name}.log`);
  return compileGoProgram(
    program,
    { cache, log, signal },
    { doing: () => {}, progress: () => {}, done: () => {}, fail: () => {} },
  );
}

/**
 * Compiling takes minutes, so checks leave out a tool that is not ready.
 * @param {GoProgram} program
 * @returns {Promise<boolean>} whether it is on PATH, or was compiled here
 */
export const isGoToolReady = async (program) =>
  (await onPath(program.name)) !== undefined || isCompiled(program, createCache(process.env));

/**
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether MongoDB's own server could be downloaded, known within seconds
 */
export const isMongodDownloadReachable = (signal) =>
  succeeds(
    fetch(MONGOD_DOWNLOAD, {
      method: 'HEAD',
      signal: AbortSignal.any([AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS), signal]),
    }),
  );

/**
 * Compiles the Go programs that this machine needs, before packages are installed. Later code waits for the same
 * compilation through the lock of the cache, and reports its errors.
 * @param {import('../reporter.js').Reporter} reporter
 * @param {AbortSignal} signal
 * @param {{ environment?: import('./environment.js').Environment, dataDir?: string, dockerSocket?: string }} [options]
 * @returns {Promise<void>} resolves when they are compiled or have failed
 */
export async function compileGoProgramsEarly(
  reporter,
  signal,
  { environment = process.env, dataDir = inCheckout('.data'), dockerSocket = '/var/run/docker.sock' } = {},
) {
  // Docker, if available, makes it needless; that is known only after packages are installed.
  const mayHaveDocker =
    process.platform !== 'linux' ||
    valueOf(environment, 'DOCKER_HOST') !== undefined ||
    (await succeeds(access(dockerSocket)));
  if (mayHaveDocker || !(await onPath('go'))) return;
  const cache = createCache(environment);
  const isMissing = async (
    /** @type {string} */ variable,
    /** @type {string} */ server,
    /** @type {GoProgram} */ program,
  ) => valueOf(environment, variable) === undefined && !(await onPath(server)) && !(await isCompiled(program, cache));
  const mongodFiles = await readdir(path.join(cache.folder, 'mongod')).catch(() => []);
  const needed = [
    // Needed for texts.
    ...(mongodFiles.length === 0 &&
    (await isMissing('MONGO_URL', 'mongod', FERRETDB)) &&
    !(await isMongodDownloadReachable(signal))
      ? [FERRETDB]
      : []),
    ...((await isMissing('S3_ENDPOINT', 'minio', MINIO)) ? [MINIO] : []),
  ];
  if (needed.length === 0) return;
  const logs = path.join(dataDir, 'logs');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await mkdir(logs, { recursive: true });
  const step = reporter.step('Go programs');
  try {
    for (const program of needed)
      await compileGoProgram(program, { cache, log: path.join(logs, `prepare-${program.name}.log`), signal }, step);
    step.done('compiled');
  } catch {
    step.fail();
  }
}
