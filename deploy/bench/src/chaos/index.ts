import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { provideInfrastructure } from '@najwa/dev/infrastructure';
import { keepRunning } from '@najwa/dev/processes/keep-running';
import { silentReporter, type Reporter } from '@najwa/dev/reporter';
import { choosePorts } from '@najwa/dev/system';
import {
  inboxOf,
  makeTestFolder,
  openLine,
  startTestSystem,
  trackedIdsOf,
  type Line,
  type TestAccount,
  type TestSystem,
} from '@najwa/testing';
import { LIMITS } from '@najwa/proto/http/client';
import type { Frame, OtherBenchmark } from '../benchmark.js';
import { atLeast, atMost, type BenchResult } from '../result.js';
import { rounded } from '../statistics.js';
import { mountSmallDisk } from './disk.js';
import { faultsOf, PAIRS, SERVERS, type Fault, type Pair, type Server } from './faults.js';
import { judge, type InboxRead } from './history.js';
import { NO_ANSWER, Crowd, type Talk } from './people.js';

/** Part of the names of faults. They rotate until there are enough messages. */
const FAULTS = process.env['CHAOS_FAULTS'] ?? '';
/** One of each kind, on parts that start quickly. */
const SMOKE_FAULTS = [
  'kill web',
  'pause tracking',
  '500 ms more to s3',
  'silence from messages to media',
  'no connection from gateway to messages',
  'slow s3',
  'full disk of s3',
  'clock ahead of tracking',
];
const isWanted = sizes({
  full: (name: string) => name.includes(FAULTS),
  smoke: (name: string) => SMOKE_FAULTS.includes(name),
});
const MAX_FAULT_MS = sizes({ full: Infinity, smoke: 200 });
/** Started by the benchmark. In a smoke, others come from the environment. */
const OWN = sizes<readonly Server[]>({ full: SERVERS, smoke: ['s3'] });
const { PATH, HOME, XDG_CACHE_HOME } = process.env;
const WITHOUT_SERVERS = { PATH, HOME, XDG_CACHE_HOME };
const MESSAGES = Number(process.env['CHAOS_MESSAGES'] ?? sizes({ full: 100_000, smoke: 1 }));
const MAX_MINUTES = 40;
const BUSY_OWNERS = sizes({ full: 8, smoke: 1 });
const QUIET_OWNERS = sizes({ full: 2, smoke: 1 });
const CALM_MS = sizes({ full: 2_000, smoke: 0 });
/** RabbitMQ stops below 50 MB and needs some of them to continue; the others may fill the disk completely. */
const DISK_OF = {
  mongo: { megabytes: 4_000, left: 0 },
  amqp: { megabytes: 4_000, left: 30 },
  s3: { megabytes: sizes({ full: 2_000, smoke: 1_200 }), left: 0 },
};
const MAX_RECOVERY_MS = 10_000;
const GIVE_UP_MS = 120_000;
/** Longest time for which visitors see what an owner took back. */
const MAX_LATE_MS = 1_000;
/** Events that waited for the broker come after it: until then, cached answers stay fresh. */
const MAX_LATE_WITHOUT_BROKER_MS = 10_000;

interface Observation {
  fault: string;
  from: number;
  refusedSends: number;
  refusedVisits: number;
  statuses: string[];
  longestRefusalMs: number;
  recoveryMs: number;
  /** False if a client never succeeds again: further faults would teach nothing. */
  isOver: boolean;
  unexpected: string[];
}

/** Tell a client to retry. No answer is only accepted without the gateway. */
const TRY_AGAIN = /^50[234] /;

async function observe(fault: Fault, crowd: Crowd): Promise<Observation> {
  const from = performance.now();
  await fault.begin();
  await delay(Math.min(fault.milliseconds, MAX_FAULT_MS));
  await fault.end();
  const ended = performance.now();
  const succeeded = await Promise.race([
    crowd.everybodySucceeds().then(() => true),
    delay(GIVE_UP_MS, false, { ref: false }),
  ]);
  const recoveryMs = performance.now() - ended;
  const since = ({ began }: { began: number }): boolean => began >= from;
  const [sends, visits] = [crowd.refusals.sends.filter(since), crowd.refusals.visits.filter(since)];
  const statuses = [...new Set([...sends, ...visits].map(({ status }) => status))];
  return {
    fault: fault.name,
    from,
    refusedSends: sends.length,
    refusedVisits: visits.length,
    statuses,
    longestRefusalMs: Math.round(Math.max(0, ...[...sends, ...visits].map(({ milliseconds }) => milliseconds))),
    recoveryMs: Math.round(recoveryMs),
    isOver: succeeded,
    unexpected: [
      ...(succeeded ? [] : ['nobody came back']),
      ...(fault.sends === 'go on' && sends.length > 0 ? ['sends were refused'] : []),
      ...(fault.visits === 'go on' && visits.length > 0 ? ['visits were refused'] : []),
      ...statuses
        .filter((status) => !TRY_AGAIN.test(status) && (status !== NO_ANSWER || fault.visits === 'go on'))
        .map((status) => `an answer of ${status}`),
      ...(recoveryMs > MAX_RECOVERY_MS ? [`recovery after ${Math.round(recoveryMs)} ms`] : []),
    ],
  };
}

const say = ({ fault, unexpected, from: _, isOver: __, ...figures }: Observation, accepted: number): void =>
  void process.stderr.write(
    `${fault}: ${unexpected.length > 0 ? `UNEXPECTED, ${unexpected.join(', ')}` : 'as declared'} ` +
      `${JSON.stringify({ ...figures, accepted })}\n`,
  );

/** Turns that are missing, doubled, in disorder, or of another conversation. */
async function faultyTalks(system: TestSystem, talks: readonly Talk[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { token, texts, open } of talks) {
    if (token === '') continue;
    const { body } = await system.request('GET', `/api/ways-back/${token}`);
    const shown = (body as { turns: { content: string }[] }).turns.map(({ content }) => content).join('\n');
    const possible = [texts, ...(open === null ? [] : [[...texts, open]])].map((all) =>
      all.slice(-LIMITS.turns).join('\n'),
    );
    if (!possible.includes(shown)) faults.push(`A conversation of ${texts.length} turns shows others.`);
  }
  return faults;
}

/** Complete inboxes, and messages missing in tracking. */
async function finalState(system: TestSystem, owners: readonly TestAccount[]) {
  const inboxes: InboxRead[] = [];
  const untracked: string[] = [];
  for (const owner of owners) {
    const began = performance.now();
    const messages = (await inboxOf(system, owner)).reverse();
    inboxes.push({ owner: owner.id, messages, began, ended: performance.now() });
    const ids = messages.map(({ id }) => id).reverse();
    const isTracked = async (): Promise<boolean> => {
      const tracked = await trackedIdsOf(system, owner.id);
      return tracked.length === ids.length && tracked.every((id, index) => id === ids[index]);
    };
    const deadline = performance.now() + GIVE_UP_MS;
    while (!(await isTracked())) {
      if (performance.now() > deadline) {
        untracked.push(`Tracking has other messages to ${owner.id} than the inbox.`);
        break;
      }
      await delay(500);
    }
  }
  return { inboxes, untracked };
}

/** On small disks where possible, and kept running. */
async function startServers(folder: string, { reporter, signal }: { reporter: Reporter; signal: AbortSignal }) {
  const started = await Promise.all(
    ([...SERVERS, 'ffmpeg'] as const).map(async (name) => {
      const dataDir = path.join(folder, name);
      const isOwn = name !== 'ffmpeg' && OWN.includes(name);
      const disk = isOwn ? await mountSmallDisk(dataDir, DISK_OF[name]) : undefined;
      const infrastructure = await provideInfrastructure({
        dataDir,
        wanted: [name],
        reporter,
        persistent: false,
        environment: isOwn ? WITHOUT_SERVERS : process.env,
      });
      const { program } = infrastructure.parts[name];
      if (program) keepRunning(program, { reporter: silentReporter, signal });
      return { name, disk, infrastructure, program };
    }),
  );
  const of = (name: Server) => started.find((server) => server.name === name);
  return {
    env: Object.assign({}, ...started.map(({ infrastructure }) => infrastructure.env)) as Record<string, string>,
    signal: (server: Server, name: NodeJS.Signals) => of(server)?.program?.signal(name),
    diskOf: (server: Server) => of(server)?.disk,
    async stop() {
      for (const { infrastructure, disk } of started) {
        await infrastructure.stop();
        await disk?.unmount();
      }
    },
  };
}

/** Through which everything calls: to servers, and between services. */
async function openLines(env: Record<string, string>, ports: Awaited<ReturnType<typeof choosePorts>>) {
  const opened: Line[] = [];
  const lineTo = async (port: number, host?: string): Promise<Line> => {
    const line = await openLine(port, host);
    opened.push(line);
    return line;
  };
  const toServers = new Map<Server, Line>();
  const addresses: Record<string, string> = {};
  for (const [server, variable] of Object.entries({
    mongo: 'MONGO_URL',
    amqp: 'AMQP_URL',
    s3: 'S3_ENDPOINT',
  } as const)) {
    const url = new URL(env[variable] ?? '');
    const line = await lineTo(Number(url.port), url.hostname);
    url.host = line.host;
    toServers.set(server as Server, line);
    addresses[variable] = url.href.replace(/\/$/, '');
  }
  const betweenServices = new Map<Pair, { http: Line; grpc: Line }>();
  for (const pair of PAIRS) {
    const { http, grpc } = ports[pair[1]];
    betweenServices.set(pair, { http: await lineTo(http), grpc: await lineTo(grpc) });
  }
  return {
    addresses,
    toServers,
    betweenServices,
    close: () => {
      for (const line of opened) line.close();
    },
  };
}

/** Faults of every part and of the network between them, under load whose history is judged. */
async function run({ reporter, step }: Frame): Promise<BenchResult> {
  step.doing('starting servers and services');
  const folder = await makeTestFolder('najwa-chaos-');
  const stopping = new AbortController();
  const servers = await startServers(folder, { reporter, signal: stopping.signal });
  const ports = await choosePorts();
  let lines: Awaited<ReturnType<typeof openLines>> | undefined;
  let system: TestSystem | undefined;
  try {
    const { addresses, toServers, betweenServices } = (lines = await openLines(servers.env, ports));
    const running = await startTestSystem({
      reporter,
      env: { ...servers.env, ...addresses, TRUSTED_PROXIES: '127.0.0.1' },
      overrides: {
        ports,
        callsOf: (caller) =>
          Object.fromEntries(
            [...betweenServices]
              .filter(([[from]]) => from === caller)
              .map(([[, to], { http, grpc }]) => [to, { http: http.port, grpc: grpc.port }]),
          ),
        nodeOptions: ['--import', new URL('./moved-clock.js', import.meta.url).href],
      },
    });
    system = running;
    const owners: TestAccount[] = [];
    for (let index = 0; index < BUSY_OWNERS + QUIET_OWNERS; index += 1) owners.push(await running.newAccount());

    const faults = faultsOf({
      signal: (part, name) =>
        part === 'mongo' || part === 'amqp' || part === 's3' ? servers.signal(part, name) : running.signal(part, name),
      toServer: (server) => [toServers.get(server) ?? []].flat(),
      between: (pair) => Object.values(betweenServices.get(pair) ?? {}),
      diskOf: servers.diskOf,
    }).filter(({ name }) => isWanted(name));
    const crowd = new Crowd(running, owners.slice(QUIET_OWNERS), owners.slice(0, QUIET_OWNERS));
    const observations: Observation[] = [];
    const begun = performance.now();
    try {
      for (let turn = 0; ; turn += 1) {
        const fault = faults[turn % faults.length];
        const isEnough = turn >= faults.length && crowd.accepted >= MESSAGES;
        if (!fault || isEnough || performance.now() - begun > MAX_MINUTES * 60_000) break;
        await crowd.everybodySucceeds();
        await delay(CALM_MS);
        step.doing(fault.name);
        const observation = await observe(fault, crowd);
        observations.push(observation);
        say(observation, crowd.accepted);
        if (!observation.isOver) break;
      }
    } finally {
      await crowd.stop();
    }
    step.doing('comparing inboxes and tracking with what was accepted');
    const { inboxes, untracked } = await finalState(running, owners);
    const { violations, late } = judge(crowd.history, inboxes);
    const wrongTalks = await faultyTalks(running, crowd.talks);
    const faultAt = (at: number): string => observations.findLast(({ from }) => from <= at)?.fault ?? 'none';
    const tooLate = late.filter(
      ({ at, milliseconds }) =>
        milliseconds > (faultAt(at).endsWith(' amqp') ? MAX_LATE_WITHOUT_BROKER_MS : MAX_LATE_MS),
    );
    const worst = (values: number[]): number => Math.max(0, ...values);
    return {
      bench: 'chaos',
      aims: {
        violations: atMost(violations.length + untracked.length + wrongTalks.length, 0),
        unexpected: atMost(observations.flatMap(({ unexpected }) => unexpected).length, 0),
        shown_too_late: atMost(tooLate.length, 0),
        slowest_recovery_ms: atMost(worst(observations.map(({ recoveryMs }) => recoveryMs)), MAX_RECOVERY_MS),
        messages: atLeast(crowd.accepted, MESSAGES),
      },
      faults: observations.length,
      disks_filled: SERVERS.filter((server) => servers.diskOf(server)).length,
      minutes: rounded((performance.now() - begun) / 60_000, 1),
      shown_too_late_during: [...new Set(tooLate.map(({ at }) => faultAt(at)))],
      latest_shown_ms: Math.round(worst(late.map(({ milliseconds }) => milliseconds))),
      conversations: crowd.talks.filter(({ token }) => token !== '').length,
      turns: crowd.talks.reduce((sum, { texts }) => sum + texts.length, 0),
      first_violations: [...violations, ...untracked, ...wrongTalks].slice(0, 20),
    };
  } finally {
    stopping.abort();
    await system?.stop();
    lines?.close();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export const chaos: OtherBenchmark = { run };
