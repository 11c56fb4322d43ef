import { execFile, spawn } from 'node:child_process';
import { access, constants, open, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { checkoutRoot, SetupError } from './environment.js';

const SHOWN_LINES = 40;
const MAX_OUTPUT = 2 ** 26;
/** Between SIGTERM and SIGKILL. npm repeats an interrupted installation anyway. */
const GRACE_MS = 3_000;

/**
 * Polls until `condition` holds.
 * @param {() => Promise<boolean> | boolean} condition
 * @param {{ timeoutMs: number, intervalMs?: number, signal?: AbortSignal | undefined }} options
 * @returns {Promise<boolean>} whether it held in time; rejects when the signal aborts
 */
export async function until(condition, { timeoutMs, intervalMs = 50, signal }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    if (await condition()) return true;
    if (performance.now() >= deadline) return false;
    await delay(intervalMs, undefined, signal ? { signal } : {});
  }
}

/**
 * Uniquely identifies a process. A reused process id has a different start time.
 * @typedef {{ pid: number, startedAt: string }} ProcessIdentity
 */

/**
 * @param {string} stat the text of /proc/PID/stat
 * @returns {string | undefined} the start time; undefined for a zombie
 */
export function startTimeIn(stat) {
  // The second field, the program's name in brackets, may hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

/**
 * @param {number} pid
 * @returns {Promise<string | undefined>} when the process started, in the system's own terms; undefined when there is none
 */
export async function startTimeOf(pid) {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/stat`, 'utf8').then(startTimeIn, () => undefined);
  }
  return (await outputOf('ps', ['-p', String(pid), '-o', 'lstart=']))?.trim() || undefined;
}

/**
 * @param {number} pid
 * @returns {Promise<ProcessIdentity | undefined>}
 */
export async function identify(pid) {
  const startedAt = await startTimeOf(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/**
 * @param {ProcessIdentity} identity
 * @returns {Promise<boolean>}
 */
export const isAlive = async ({ pid, startedAt }) => (await startTimeOf(pid)) === startedAt;

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether there is such a process, which is ours
 */
export function signalProcess(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error;
    return false;
  }
}

/** @type {typeof signalProcess} the same for everything in the process group of this number */
export const signalGroup = (pid, signal) => signalProcess(-pid, signal);

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] on top of our own
 * @property {number} [input] a file descriptor to read from
 * @property {number} [output] a file descriptor to write to; kept back otherwise
 * @property {number} [niceness] as of `nice`: what else runs comes first if it is above 0
 * @property {AbortSignal | undefined} [signal]
 */

/**
 * Runs a command in a process group of its own, so that Ctrl-C reaches only us, and so that all of it can be stopped.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {CommandOptions} options
 * @returns {Promise<{ status: number | null, text: string }>} the exit status, and what it printed
 */
async function execute(program, args, { cwd, env = {}, input, output, niceness = 0, signal }) {
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    stdio: [input ?? 'ignore', output ?? 'pipe', output ?? 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  /** @type {NodeJS.Timeout | undefined} */
  let grace;
  const stop = () => {
    const { pid } = child;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGTERM');
    grace = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  };
  signal?.addEventListener('abort', stop, { once: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (text += chunk));
  /** @type {number | null} */
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  clearTimeout(grace);
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  return { status, text };
}

/**
 * Runs a command with its output in a log.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Omit<CommandOptions, 'output'> & { what: string, log: string }} options `what` names the command in the error
 * @returns {Promise<void>}
 * @throws {SetupError} when it fails, naming the log
 */
export async function run(program, args, { what, log, ...options }) {
  const output = await open(log, 'a');
  try {
    const { status } = await execute(program, args, { ...options, output: output.fd });
    if (status !== 0) throw new SetupError(`${what} failed. See the end of ${log}.`);
  } finally {
    await output.close();
  }
}

/**
 * Runs a command, in the checkout by default. Its last lines of output are in the error.
 * @param {string} what names the command in the error
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Pick<CommandOptions, 'cwd' | 'env' | 'niceness' | 'signal'>} [options]
 * @returns {Promise<void>}
 * @throws {SetupError} when it fails
 */
export async function command(what, program, args, options) {
  const { status, text } = await execute(program, args, { cwd: checkoutRoot, ...options });
  if (status !== 0)
    throw new SetupError(`${text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')}\n${what} failed.`);
}

/**
 * Runs npm: the one that started us, where that is known.
 * @param {string} what
 * @param {readonly string[]} args
 * @param {Pick<CommandOptions, 'env' | 'niceness' | 'signal'>} [options]
 * @returns {Promise<void>}
 */
export function npm(what, args, options) {
  const { npm_execpath: script } = process.env;
  return script?.endsWith('.js')
    ? command(what, process.execPath, [script, ...args], options)
    : command(what, 'npm', args, options);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<string | undefined>} what a command prints; undefined when it cannot run or fails
 */
export const outputOf = (program, args, env) =>
  promisify(execFile)(program, args, { maxBuffer: MAX_OUTPUT, env: { ...process.env, ...env } }).then(
    ({ stdout }) => stdout,
    () => undefined,
  );

/**
 * @param {...string} patterns
 * @returns {Promise<string[]>} the files of the checkout that git does not ignore
 */
export async function listFiles(...patterns) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  const { stdout } = await promisify(execFile)('git', args, { cwd: checkoutRoot, maxBuffer: MAX_OUTPUT });
  return stdout.split('\0').filter(Boolean);
}

/**
 * @param {Promise<unknown>} attempt
 * @returns {Promise<boolean>} whether it succeeds
 */
export const succeeds = (attempt) =>
  attempt.then(
    () => true,
    () => false,
  );

/**
 * @param {string} program
 * @param {string} [searched]
 * @returns {Promise<string | undefined>} the path of a program that PATH leads to
 */
export async function onPath(program, searched = process.env['PATH'] ?? '') {
  for (const folder of searched.split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, program);
    if (await succeeds(access(file, constants.X_OK))) return file;
  }
  return undefined;
}
