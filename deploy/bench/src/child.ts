import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '@najwa/dev/bootstrap/environment';
import { reasonIn } from '@najwa/dev/processes/reason';

const KEPT_CHARACTERS = 10_000;

export interface ChildServer {
  url: string;
  pid: number;
  stop: () => void;
}

/** @returns the last part of standard error */
export function watchErrors({ stderr }: ChildProcess): () => string {
  let output = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-KEPT_CHARACTERS);
    process.stderr.write(chunk);
  });
  return () => output;
}

/**
 * @param launcher program and arguments in front of node, such as `taskset -c 0`
 * @returns the process, and its first message
 * @throws {SetupError} if it ends before
 */
export async function startChild<Message>(
  file: URL,
  order: object,
  launcher: readonly string[] = [],
): Promise<{ child: ChildProcess; message: Message }> {
  const [execPath, ...execArgv] = [...launcher, process.execPath];
  const child = fork(file, { execPath, execArgv, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  const errors = watchErrors(child);
  const ended = once(child, 'close').then(([status]: (number | null)[]) => {
    const name = path.basename(fileURLToPath(file));
    throw new SetupError(`${name} ended with status ${status ?? 'none'} before it was ready: ${reasonIn(errors())}`);
  });
  child.send(order);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message];
  return { child, message };
}

/** It receives an order and reports its port. */
export async function startChildServer(
  file: URL,
  order: object,
  launcher: readonly string[] = [],
): Promise<ChildServer> {
  const { child, message: port } = await startChild<number>(file, order, launcher);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.disconnect() };
}
