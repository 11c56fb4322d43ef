import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ChildServer {
  url: string;
  pid: number;
  stop: () => void;
}

/**
 * Starts a server in a separate process. It receives an order and reports its port.
 * @param launcher program and arguments in front of node, such as `taskset -c 0`
 */
export async function startChildServer(
  file: URL,
  order: object,
  launcher: readonly string[] = [],
): Promise<ChildServer> {
  const [program, ...args] = [...launcher, process.execPath];
  const child = fork(file, { execPath: program, execArgv: args });
  child.send(order);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.disconnect() };
}
