import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a server in a separate process. It receives an order and reports its port. */
export async function startChildServer(
  file: string,
  order: Record<string, unknown>,
): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL(file, import.meta.url), { execArgv: [] });
  child.send(order);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}
