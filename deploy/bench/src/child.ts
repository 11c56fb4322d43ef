import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own, which says its port once it has been told what to do. */
export async function startChildServer(
  file: string,
  order: Record<string, unknown>,
): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL(file, import.meta.url), { execArgv: [] });
  child.send(order);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}
