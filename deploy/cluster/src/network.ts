import { z } from 'zod';
import { ARROWS, LISTENING } from './arrows.js';
import { inNamespace, podsOf, runInPod, type Pod } from './kubectl.js';

const CONNECT_TIMEOUT_MS = 3_000;

interface Target {
  part: string;
  ip: string;
  port: number;
}

const reachedSchema = z.array(z.boolean());

/** Runs in a pod, with Node.js or else bash. */
const connectWithNode = (targets: readonly Target[]): string => `
import net from 'node:net';
const connect = ({ ip, port }) => new Promise((resolve) => {
  const socket = net.connect({ host: ip, port, timeout: ${CONNECT_TIMEOUT_MS} });
  const end = (reached) => { socket.destroy(); resolve(reached); };
  socket.on('connect', () => end(true)).on('error', () => end(false)).on('timeout', () => end(false));
});
console.log(JSON.stringify(await Promise.all(${JSON.stringify(targets)}.map(connect))));`;

const connectWithBash = (targets: readonly Target[]): string => `
try() { if timeout ${CONNECT_TIMEOUT_MS / 1_000} bash -c ": < /dev/tcp/$2" 2> /dev/null; then echo "$1 true"; else echo "$1 false"; fi; }
${targets.map(({ ip, port }, index) => `try ${index} ${ip}/${port} &`).join('\n')}
wait`;

async function reachedFrom({ name, part }: Pod, targets: readonly Target[]): Promise<boolean[]> {
  if (!['web', 'mongodb', 'rabbitmq', 'minio'].includes(part))
    return reachedSchema.parse(JSON.parse(await runInPod(name, connectWithNode(targets))));
  const lines = await inNamespace('exec', name, '--', 'bash', '-c', connectWithBash(targets));
  const reached = new Set(
    lines
      .split('\n')
      .filter((line) => line.endsWith(' true'))
      .map((line) => line.split(' ')[0]),
  );
  return targets.map((_target, index) => reached.has(String(index)));
}

export interface Walk {
  /** Pairs of a pod and another pod's port. */
  tried: number;
  allowed: number;
  /** `caller → callee:port` that connected without an arrow, or failed with one. */
  faults: string[];
}

/** Every pod to every listening port of every other, compared with the design. */
export async function walkNetwork(): Promise<Walk> {
  const pods = (await podsOf()).filter(({ isReady }) => isReady);
  const walk: Walk = { tried: 0, allowed: 0, faults: [] };
  for (const caller of pods) {
    const targets = pods
      .filter(({ name }) => name !== caller.name)
      .flatMap(({ part, ip }) => (LISTENING[part] ?? []).map((port) => ({ part, ip, port })));
    const reached = await reachedFrom(caller, targets);
    targets.forEach(({ part, port }, index) => {
      const arrow = `${caller.part} → ${part}:${port}`;
      walk.tried += 1;
      if (reached[index]) walk.allowed += 1;
      if (reached[index] !== ARROWS.has(arrow))
        walk.faults.push(`${arrow} ${reached[index] ? 'connects' : 'does not'}`);
    });
  }
  return walk;
}
