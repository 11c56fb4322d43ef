import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** The least processor time that can be told from none. */
export const TICK_SECONDS = 1 / TICKS_PER_SECOND;

interface ProcessStat {
  parent: number;
  /** With its children that have ended. */
  seconds: number;
}

/** Undefined for a process that has ended, and where the system does not tell. */
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

/** All processes that a process started, and itself. */
function familyOf(pid: number): Map<number, ProcessStat> {
  const pids = (existsSync('/proc') ? readdirSync('/proc') : []).filter((name) => /^\d+$/.test(name));
  const stats = new Map(pids.map((name) => [Number(name), statOf(Number(name))]));
  const isMember = (member: number): boolean => {
    for (let current = member; current > 0; current = stats.get(current)?.parent ?? 0) if (current === pid) return true;
    return false;
  };
  return new Map([...stats].flatMap(([member, stat]) => (stat && isMember(member) ? [[member, stat]] : [])));
}

/** Processor time that a process and its children have used, in seconds. Undefined where the system does not tell. */
export function processorSeconds(pid: number): number | undefined {
  if (statOf(pid) === undefined) return undefined;
  return [...familyOf(pid).values()].reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Names of the programs of a system in figures. The first that matches the command line counts. */
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

/** Processor time of each program that this process started, in seconds, and of itself as `client`. */
export function secondsByProgram(): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [pid, stat] of familyOf(process.pid)) {
    try {
      const name = nameOf(pid);
      seconds.set(name, (seconds.get(name) ?? 0) + stat.seconds);
    } catch {
      // It has ended meanwhile, and counts to its parent from now on.
    }
  }
  return seconds;
}
