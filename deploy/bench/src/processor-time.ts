import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { TestSystem } from '@najwa/testing';

const TICKS_PER_SECOND = 100;
/** Resolution of processor time. */
export const TICK_SECONDS = 1 / TICKS_PER_SECOND;

interface ProcessStat {
  parent: number;
  /** With ended children. */
  seconds: number;
}

/** Undefined if ended or not reported. */
function statOf(pid: number): ProcessStat | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const [, parent = 0] = fields;
    const ticks = fields.slice(11, 15).reduce((sum, more) => sum + more, 0);
    return { parent, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** Descendants, and itself. */
function familyOf(pid: number): Map<number, ProcessStat> {
  const pids = (existsSync('/proc') ? readdirSync('/proc') : []).filter((name) => /^\d+$/.test(name));
  const stats = new Map(pids.map((name) => [Number(name), statOf(Number(name))]));
  const isMember = (member: number): boolean => {
    for (let current = member; current > 0; current = stats.get(current)?.parent ?? 0) if (current === pid) return true;
    return false;
  };
  return new Map([...stats].flatMap(([member, stat]) => (stat && isMember(member) ? [[member, stat]] : [])));
}

/** Seconds, with children. Undefined if not reported. */
export function processorSeconds(pid: number): number | undefined {
  if (statOf(pid) === undefined) return undefined;
  return [...familyOf(pid).values()].reduce((sum, { seconds }) => sum + seconds, 0);
}

/** By command line; the first match counts. */
const NAMES: readonly [RegExp, string][] = [
  [/ferretdb/, 'ferretdb'],
  [/postgres/, 'postgresql'],
  [/beam\.smp|epmd|erl_child_setup|inet_gethost/, 'broker'],
  [/minio/, 'files'],
  [/accept\/(?:insert|rival)-server/, 'server'],
  [/web-server/, 'web'],
];

function nameOf(pid: number): string {
  if (pid === process.pid) return 'client';
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const [, service] = /services\/([a-z]+)\/dist\/main\.js/.exec(command) ?? [];
  return service ?? NAMES.find(([pattern]) => pattern.test(command))?.[1] ?? 'others';
}

/** Seconds of descendants, and of itself as `client`. */
export function secondsByProgram(): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [pid, stat] of familyOf(process.pid)) {
    try {
      const name = nameOf(pid);
      seconds.set(name, (seconds.get(name) ?? 0) + stat.seconds);
    } catch {
      // Ended: it counts to its parent now.
    }
  }
  return seconds;
}

/** Reported by a service. */
export async function metricOf(
  system: TestSystem,
  service: Parameters<TestSystem['urlOf']>[0],
  name: string,
): Promise<number> {
  const text = await (await fetch(`${system.urlOf(service)}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, 'm').exec(text)?.[1]);
}
