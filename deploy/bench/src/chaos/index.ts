import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  choosePorts,
  inboxOf,
  keepRunning,
  makeTestFolder,
  openLine,
  provideInfrastructure,
  silentReporter,
  startTestSystem,
  trackedIdsOf,
  type Condition,
  type Line,
  type SystemPart,
  type TestAccount,
  type TestSystem,
} from '@najwa/dev-env';
import type { BenchResult } from '../result.js';
import { rounded } from '../statistics.js';
import { judge, type InboxRead } from './history.js';
import { NO_ANSWER, startCrowd, type Crowd } from './people.js';

/** CHAOS_FAULTS is a part of the names of those to try. They come in turn until there are enough messages. */
const FAULTS = process.env['CHAOS_FAULTS'] ?? '';
/** CHAOS_MESSAGES and CHAOS_MINUTES try it with fewer. */
const MESSAGES = Number(process.env['CHAOS_MESSAGES'] ?? 100_000);
const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? 40);
const BUSY_OWNERS = 8;
const QUIET_OWNERS = 2;
const CALM_MS = 2_000;
const LATENCY_MS = 500;
const MAX_RECOVERY_MS = 10_000;
const GIVE_UP_MS = 120_000;
/** Visitors see what an owner took back for at most this long. */
const MAX_LATE_MS = 1_000;
/** Events that waited for the broker come later than it does: until then an answer is shown for as long as it is fresh. */
const MAX_LATE_WITHOUT_BROKER_MS = 10_000;

const SERVERS = ['mongo', 'amqp', 's3'] as const;
type Server = (typeof SERVERS)[number];

/** Those who send, or visit a page that did not change, must notice nothing, or may be refused until the fault is over. */
interface Expectation {
  sends: 'go on' | 'wait';
  visits: 'go on' | 'wait';
}

interface Fault extends Expectation {
  name: string;
  /** Duration. Zero for a kill: the part starts again by itself. */
  milliseconds: number;
  begin: () => void;
  end: () => void;
}

interface Observation {
  fault: string;
  from: number;
  refusedSends: number;
  refusedVisits: number;
  statuses: string[];
  longestRefusalMs: number;
  recoveryMs: number;
  unexpected: string[];
}

/** Statuses that tell a client to try again. Only without the gateway may there be none. */
const TRY_AGAIN = /^50[234] /;

/** Expectations while a part is down, or answers nobody. */
const WITHOUT: Readonly<Record<Server | Exclude<SystemPart, 'admin' | 'chatbot'>, Expectation>> = {
  mongo: { sends: 'wait', visits: 'go on' },
  amqp: { sends: 'go on', visits: 'go on' },
  s3: { sends: 'wait', visits: 'go on' },
  auth: { sends: 'wait', visits: 'go on' },
  messages: { sends: 'wait', visits: 'go on' },
  media: { sends: 'wait', visits: 'go on' },
  tracking: { sends: 'go on', visits: 'go on' },
  gateway: { sends: 'wait', visits: 'wait' },
  web: { sends: 'go on', visits: 'go on' },
};
const PARTS = ['auth', 'messages', 'media', 'tracking', 'gateway', 'web'] as const;

function faultsOf(
  lines: Readonly<Record<Server | 'auth' | 'messages' | 'media', readonly Line[]>>,
  signal: (part: Server | SystemPart, name: NodeJS.Signals) => void,
): Fault[] {
  const all = [...SERVERS, ...PARTS];
  const network = (part: keyof typeof lines, name: string, milliseconds: number, condition: Condition): Fault => ({
    name: `${name} ${part}`,
    milliseconds,
    ...WITHOUT[part],
    begin: () => lines[part].forEach((line) => line.become(condition)),
    end: () => lines[part].forEach((line) => line.become({ state: 'good' })),
  });
  const reached = ['mongo', 'amqp', 's3', 'auth', 'messages', 'media'] as const;
  return [
    ...all.map((part) => ({
      name: `kill ${part}`,
      milliseconds: 0,
      ...WITHOUT[part],
      begin: () => signal(part, 'SIGKILL'),
      end: () => undefined,
    })),
    ...all.map((part) => ({
      name: `pause ${part}`,
      milliseconds: 5_000,
      ...WITHOUT[part],
      begin: () => signal(part, 'SIGSTOP'),
      end: () => signal(part, 'SIGCONT'),
    })),
    ...reached.map((part) => network(part, `${LATENCY_MS} ms to`, 8_000, { state: 'late', milliseconds: LATENCY_MS })),
    ...reached.map((part) => network(part, 'silence to', 8_000, { state: 'silent' })),
    ...reached.map((part) => network(part, 'no connection to', 5_000, { state: 'cut' })),
  ];
}

async function observe(fault: Fault, { refusals, everybodySucceeds }: Crowd): Promise<Observation> {
  const from = performance.now();
  fault.begin();
  await delay(fault.milliseconds);
  fault.end();
  const ended = performance.now();
  const succeeded = await Promise.race([
    everybodySucceeds().then(() => true),
    delay(GIVE_UP_MS, false, { ref: false }),
  ]);
  const recoveryMs = performance.now() - ended;
  const since = ({ began }: { began: number }): boolean => began >= from;
  const [sends, visits] = [refusals.sends.filter(since), refusals.visits.filter(since)];
  const statuses = [...new Set([...sends, ...visits].map(({ status }) => status))];
  return {
    fault: fault.name,
    from,
    refusedSends: sends.length,
    refusedVisits: visits.length,
    statuses,
    longestRefusalMs: Math.round(Math.max(0, ...[...sends, ...visits].map(({ milliseconds }) => milliseconds))),
    recoveryMs: Math.round(recoveryMs),
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

const say = ({ fault, unexpected, from: _, ...figures }: Observation, accepted: number): void =>
  void process.stderr.write(
    `${fault}: ${unexpected.length > 0 ? `UNEXPECTED, ${unexpected.join(', ')}` : 'as declared'} ` +
      `${JSON.stringify({ ...figures, accepted })}\n`,
  );

/** The whole inboxes, and messages that tracking has not, or not any more, in the end. */
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

/** Faults of every part and of the network between them, under senders, owners and visitors, whose history is judged. */
export async function run(): Promise<BenchResult> {
  const folder = await makeTestFolder('najwa-chaos-');
  const stopping = new AbortController();
  const infrastructure = await provideInfrastructure({
    dataDir: folder,
    reporter: silentReporter,
    persistent: false,
    environment: { PATH: process.env['PATH'], HOME: process.env['HOME'], FFMPEG_BIN: process.env['FFMPEG_BIN'] },
  });
  const opened: Line[] = [];
  const lineTo = async (port: number): Promise<Line> => {
    const line = await openLine(port);
    opened.push(line);
    return line;
  };
  let system: TestSystem | undefined;
  try {
    const { parts, env } = infrastructure;
    for (const { program } of Object.values(parts))
      if (program) keepRunning(program, { reporter: silentReporter, signal: stopping.signal });
    const throughLine = async (variable: string) => {
      const url = new URL(env[variable] ?? '');
      const line = await lineTo(Number(url.port));
      url.port = String(line.port);
      return { line, address: { [variable]: url.href.replace(/\/$/, '') } };
    };
    const [mongo, amqp, s3] = await Promise.all(['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT'].map(throughLine));
    if (!mongo || !amqp || !s3) throw new Error('A server has no address.');
    const ports = await choosePorts();
    const toService = async (name: 'auth' | 'messages' | 'media') => {
      const [http, grpc] = [await lineTo(ports[name].http), await lineTo(ports[name].grpc)];
      return { lines: [http, grpc], ports: { http: http.port, grpc: grpc.port } };
    };
    const [auth, messages, media] = [await toService('auth'), await toService('messages'), await toService('media')];
    const running = await startTestSystem({
      env: { ...env, ...mongo.address, ...amqp.address, ...s3.address, TRUSTED_PROXIES: '127.0.0.1' },
      beside: { ports, calls: { ...ports, auth: auth.ports, messages: messages.ports, media: media.ports } },
    });
    system = running;
    const owners: TestAccount[] = [];
    for (let index = 0; index < BUSY_OWNERS + QUIET_OWNERS; index += 1) owners.push(await running.newAccount());

    const faults = faultsOf(
      {
        ...{ mongo: [mongo.line], amqp: [amqp.line], s3: [s3.line] },
        ...{ auth: auth.lines, messages: messages.lines, media: media.lines },
      },
      (part, name) =>
        part === 'mongo' || part === 'amqp' || part === 's3'
          ? parts[part].program?.signal(name)
          : running.signal(part, name),
    ).filter(({ name }) => name.includes(FAULTS));
    const crowd = startCrowd(running, owners.slice(QUIET_OWNERS), owners.slice(0, QUIET_OWNERS));
    const observations: Observation[] = [];
    const begun = performance.now();
    try {
      for (let turn = 0; ; turn += 1) {
        const fault = faults[turn % faults.length];
        const isEnough = turn >= faults.length && crowd.accepted() >= MESSAGES;
        if (!fault || isEnough || performance.now() - begun > MINUTES * 60_000) break;
        await crowd.everybodySucceeds();
        await delay(CALM_MS);
        const observation = await observe(fault, crowd);
        observations.push(observation);
        say(observation, crowd.accepted());
      }
    } finally {
      await crowd.stop();
    }
    const { inboxes, untracked } = await finalState(running, owners);
    const { violations, late } = judge(crowd.history, inboxes);
    const faultAt = (at: number): string => observations.findLast(({ from }) => from <= at)?.fault ?? 'none';
    const tooLate = late.filter(
      ({ at, milliseconds }) =>
        milliseconds > (faultAt(at).endsWith(' amqp') ? MAX_LATE_WITHOUT_BROKER_MS : MAX_LATE_MS),
    );
    const worst = (values: number[]): number => Math.max(0, ...values);
    return {
      bench: 'chaos',
      aims: {
        violations: { value: violations.length + untracked.length, aim: 0, better: 'lower' },
        unexpected: { value: observations.flatMap(({ unexpected }) => unexpected).length, aim: 0, better: 'lower' },
        shown_too_late: { value: tooLate.length, aim: 0, better: 'lower' },
        slowest_recovery_ms: {
          value: worst(observations.map(({ recoveryMs }) => recoveryMs)),
          aim: MAX_RECOVERY_MS,
          better: 'lower',
        },
        messages: { value: crowd.accepted(), aim: MESSAGES, better: 'higher' },
      },
      faults: observations.length,
      minutes: rounded((performance.now() - begun) / 60_000, 1),
      shown_too_late_during: [...new Set(tooLate.map(({ at }) => faultAt(at)))],
      latest_shown_ms: Math.round(worst(late.map(({ milliseconds }) => milliseconds))),
      first_violations: [...violations, ...untracked].slice(0, 20),
    };
  } finally {
    stopping.abort();
    await system?.stop();
    for (const line of opened) line.close();
    await infrastructure.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
