import { spawn } from 'node:child_process';
import { root, SetupFault } from './checkout.js';

const LAST_LINES = 40;

/** What takes longer to clean up after itself is ended: npm begins a broken-off installation anew anyway. */
const GRACE_MS = 3_000;

/**
 * Runs a command in the checkout to its end. Its output is kept back, and shown when it fails.
 * @returns what it printed
 */
export async function command(what, program, args, { env = {}, signal } = {}) {
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  let grace;
  const send = (name) => child.exitCode === null && child.signalCode === null && process.kill(-child.pid, name);
  const stop = () => {
    send('SIGTERM');
    grace = setTimeout(() => send('SIGKILL'), GRACE_MS);
  };
  signal?.addEventListener('abort', stop, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(-1));
    child.once('close', resolve);
  });
  clearTimeout(grace);
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (status !== 0)
    throw new SetupFault(`${output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')}\n${what} failed.`);
  return output;
}

/** Runs npm, with the one that started us where it is known. */
export function npm(what, args, options) {
  const { npm_execpath: script } = process.env;
  return script?.endsWith('.js')
    ? command(what, process.execPath, [script, ...args], options)
    : command(what, 'npm', args, options);
}
