import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@najwa/dev/bootstrap/processes';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { COOKIES, LIMITS } from '@najwa/proto/http/client';
import {
  requestGc,
  inboxOf,
  PASSWORD,
  PIXEL,
  processesByService,
  type ServiceProcess,
  trackedIdsOf,
  type TestAccount,
  type TestSystem,
} from '@najwa/testing';
import { newAccounts, type SystemBenchmark } from './benchmark.js';
import { atMost } from './result.js';
import { growth, median, percentile, rounded } from './statistics.js';
import { cut } from './voice.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? sizes({ full: 20, smoke: 0.034 }));
const OWNERS = sizes({ full: 20, smoke: 2 });
const WARM_UP_SECONDS = sizes({ full: 20, smoke: 0.1 });
const CAPACITY_SECONDS = sizes({ full: 30, smoke: 0.3 });
const CAPACITY_AT_ONCE = sizes({ full: 24, smoke: 2 });
const SHARE_OF_CAPACITY = sizes({ full: 0.6, smoke: 0.3 });
const WINDOW_MS = sizes({ full: 10_000, smoke: 1_000 });
/** Windows between garbage collections. */
const WINDOWS_TO_COLLECTION = sizes({ full: 3, smoke: 1 });
const COLLECTION_MS = sizes({ full: 1_000, smoke: 200 });
const LATE_MS = 120_000;
const RECORDING_SECONDS = sizes({ full: 5, smoke: 1 });
const PAGE = sizes<number>({ full: LIMITS.page.default, smoke: 2 });
const NETWORKS = 250;
/** Returning browsers, cached by the gateway per page. */
const RETURNING = 50;
/** Share of visits. */
const NEW_BROWSERS = 0.1;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';

type Action = (system: TestSystem, owner: TestAccount) => Promise<void>;

/** With its share in a thousand actions. */
interface Habit {
  name: string;
  share: number;
  act: Action;
}

/** One network alone would accumulate a history of its own. */
const fromSomewhere = (): Record<string, string> => ({
  'x-forwarded-for': `192.0.2.${1 + Math.floor(Math.random() * NETWORKS)}`,
});

/** Kept from the first page on. */
const newBrowser = (): string => `${COOKIES.visitor.name}=${randomBytes(16).toString('base64url')}`;

async function succeed(system: TestSystem, ...call: Parameters<TestSystem['request']>): Promise<unknown> {
  const { status, body } = await system.request(...call);
  if (status >= 300) throw new Error(`${call[0]} was answered with ${status}.`);
  return body;
}

/** @param accepted collects message ids by owner */
function habitsOf(recording: Buffer, accepted: Map<number, number[]>): Habit[] {
  const sender = (): Record<string, string> => ({ 'idempotency-key': randomUUID(), ...fromSomewhere() });
  const returning = Array.from({ length: RETURNING }, newBrowser);
  const visitor = (): Record<string, string> => {
    const known = returning[Math.floor((Math.random() * RETURNING) / (1 - NEW_BROWSERS))];
    return { 'user-agent': BROWSER, cookie: known ?? newBrowser(), ...fromSomewhere() };
  };
  const keep = ({ id }: TestAccount, body: unknown): void => void accepted.get(id)?.push((body as { id: number }).id);
  const send =
    (imageUrl?: string): Action =>
    async (system, owner) => {
      const body = { userId: owner.id, content: 'رسالة من زائر', ...(imageUrl !== undefined && { imageUrl }) };
      keep(owner, await succeed(system, 'POST', '/api/messages', { body, headers: sender() }));
    };
  const newestOf = async (system: TestSystem, { cookie }: TestAccount): Promise<number | undefined> => {
    const [newest] = (await succeed(system, 'GET', '/api/messages?limit=20', { cookie })) as { id: number }[];
    return newest?.id;
  };
  return [
    {
      name: 'page',
      share: 600,
      act: async (system, { username }) =>
        void (await succeed(system, 'GET', `/m/${username}`, { headers: visitor() })),
    },
    { name: 'send', share: 200, act: send() },
    { name: 'send picture', share: 15, act: send(PIXEL) },
    {
      name: 'send voice',
      share: 5,
      async act(system, owner) {
        const form = new FormData();
        form.set('audio', new File([new Uint8Array(recording)], 'recording.webm', { type: 'audio/webm' }));
        form.set('userId', String(owner.id));
        form.set('voiceType', 'male');
        const headers = { origin: system.url, 'x-requested-with': 'XMLHttpRequest', ...sender() };
        const response = await fetch(`${system.url}/api/audio/upload`, { method: 'POST', headers, body: form });
        if (response.status !== 201) throw new Error(`An upload was answered with ${response.status}.`);
        keep(owner, await response.json());
      },
    },
    { name: 'read inbox', share: 100, act: async (system, owner) => void (await newestOf(system, owner)) },
    {
      name: 'publish',
      share: 30,
      async act(system, owner) {
        const id = await newestOf(system, owner);
        if (id === undefined) return;
        await succeed(system, 'PATCH', `/api/messages/${id}`, { cookie: owner.cookie, body: { isPublic: true } });
      },
    },
    {
      name: 'log in',
      share: 10,
      async act(system, { username }) {
        await succeed(system, 'POST', '/api/login', { body: { username, password: PASSWORD } });
      },
    },
    {
      name: 'chat',
      share: 40,
      act: async (system) => {
        await succeed(system, 'POST', '/api/chat', { body: { message: 'كيف أبدأ؟' }, headers: fromSomewhere() });
      },
    },
  ];
}

/** An incomplete page costs less, and would grow during the run. */
async function fillPages(system: TestSystem, owners: readonly TestAccount[], habits: readonly Habit[]): Promise<void> {
  const fill = habits.filter(({ name }) => name === 'send' || name === 'publish');
  for (let count = 0; count < PAGE; count += 1)
    await Promise.all(
      owners.map(async (owner) => {
        for (const { act } of fill) await act(system, owner);
      }),
    );
}

/** By share. */
function pick(habits: readonly Habit[]): Habit {
  let left = Math.random() * habits.reduce((sum, { share }) => sum + share, 0);
  const habit = habits.find(({ share }) => (left -= share) < 0) ?? habits[0];
  if (!habit) throw new Error('There are no habits.');
  return habit;
}

/** Of one window. */
interface Sample {
  /** Resident megabytes; V8 and the C library keep spare memory. */
  resident: Record<string, number>;
  /** Open files and sockets. */
  handles: Record<string, number>;
  waitingEvents: number;
  p50: number;
  p95: number;
  /** Median per habit. */
  medians: Record<string, number>;
}

/** Milliseconds of a caller's wait. */
interface Latency {
  habit: string;
  milliseconds: number;
}

const megabytesOf = (processes: Record<string, ServiceProcess>): Record<string, number> =>
  Object.fromEntries(Object.entries(processes).map(([service, { megabytes }]) => [service, megabytes]));

/** @returns resident megabytes after garbage collection */
async function collect(): Promise<Record<string, number>> {
  await requestGc();
  await delay(COLLECTION_MS);
  return megabytesOf(await processesByService());
}

async function measure(system: TestSystem, habits: readonly Habit[], latencies: readonly Latency[]): Promise<Sample> {
  const processes = await processesByService();
  const handles: Record<string, number> = {};
  for (const [service, { pid }] of Object.entries(processes))
    handles[service] = (await readdir(`/proc/${pid}/fd`)).length;
  const { waiting } = await system.events();
  const times = (name?: string): number[] =>
    latencies.flatMap(({ habit, milliseconds }) => (name === undefined || habit === name ? [milliseconds] : []));
  return {
    resident: megabytesOf(processes),
    handles,
    waitingEvents: waiting,
    p50: percentile(times(), 50),
    p95: percentile(times(), 95),
    medians: Object.fromEntries(habits.map(({ name }) => [name, median(times(name))])),
  };
}

/** Skips windows without a value. */
const growthOfEach = (samples: readonly Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(samples[0] ?? {}).map((name) => [
      name,
      rounded(growth(samples.map((sample) => sample[name] ?? Number.NaN).filter((value) => !Number.isNaN(value)))),
    ]),
  );

/** @returns how many inboxes or their tracking differ from what was accepted */
async function countFaulty(
  system: TestSystem,
  owners: readonly TestAccount[],
  accepted: ReadonlyMap<number, number[]>,
): Promise<number> {
  let faulty = 0;
  for (const owner of owners) {
    const ids = (accepted.get(owner.id) ?? []).sort((a, b) => a - b).join();
    const isSame = async (): Promise<boolean> => {
      const inbox = (await inboxOf(system, owner)).map(({ id }) => id).join();
      return inbox === ids && (await trackedIdsOf(system, owner.id)).join() === ids;
    };
    if (!(await until(isSame, { timeoutMs: LATE_MS, intervalMs: 500 }))) faulty += 1;
  }
  return faulty;
}

interface Run {
  samples: readonly Sample[];
  /** Of resident megabytes, after each collection. */
  collected: readonly Record<string, number>[];
  failures: ReadonlyMap<string, number>;
  inboxesWithFaults: number;
  eventsLeft: number;
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function judge({ samples, collected, failures, inboxesWithFaults, eventsLeft }: Run) {
  // The first quarter fills caches and heaps.
  const steadyPart = <Value>(values: readonly Value[]): Value[] => values.slice(Math.floor(values.length / 4));
  const steady = steadyPart(samples);
  const memory = growthOfEach(steadyPart(collected));
  const handles = growthOfEach(steady.map((sample) => sample.handles));
  const most = (values: Record<string, number>): number => Math.max(...Object.values(values));
  return {
    aims: {
      inboxes_with_faults: atMost(inboxesWithFaults, 0),
      failures: atMost(sumOf(failures), 0),
      events_left: atMost(eventsLeft, 0),
      memory_growth: atMost(most(memory), 1.1),
      handle_growth: atMost(most(handles), 1.1),
      p50_growth: atMost(growth(steady.map(({ p50 }) => p50)), 1.2),
      p95_growth: atMost(growth(steady.map(({ p95 }) => p95)), 1.2),
      most_waiting_events: atMost(Math.max(...steady.map(({ waitingEvents }) => waitingEvents)), 100),
    },
    failures: Object.fromEntries(failures),
    p50_ms: rounded(median(steady.map(({ p50 }) => p50)), 1),
    p95_ms: rounded(median(steady.map(({ p95 }) => p95)), 1),
    megabytes: samples.at(-1)?.resident,
    memory_growth: memory,
    resident_growth: growthOfEach(steady.map(({ resident }) => resident)),
    handle_growth: handles,
    median_growth: growthOfEach(steady.map(({ medians }) => medians)),
  };
}

/** Mixed load at a share of capacity: nothing grows, nothing is lost. */
export const soak: SystemBenchmark = {
  needs: () => ({ env: { TRUSTED_PROXIES: '127.0.0.1' }, collects: true }),
  async run({ system, step }) {
    step.doing('registering accounts and filling their pages');
    const recording = await cut(system, RECORDING_SECONDS);
    const owners = (await newAccounts(system, OWNERS)).map(({ cookie, ...account }) => ({
      ...account,
      cookie: `${cookie}; ${newBrowser()}`,
    }));
    const accepted = new Map(owners.map(({ id }) => [id, [] as number[]]));
    const habits = habitsOf(recording, accepted);
    await fillPages(system, owners, habits);
    let latencies: Latency[] = [];
    const failures = new Map<string, number>();
    const doOne = async (): Promise<void> => {
      const habit = pick(habits);
      const owner = owners[Math.floor(Math.random() * owners.length)];
      if (!owner) throw new Error('There are no owners.');
      const begun = performance.now();
      try {
        await habit.act(system, owner);
        latencies.push({ habit: habit.name, milliseconds: performance.now() - begun });
      } catch (error) {
        const reason = `${habit.name}: ${error instanceof Error ? error.message : 'failed'}`;
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
      }
    };

    /** @returns actions per second at full concurrency */
    const capacity = async (seconds: number): Promise<number> => {
      const begun = performance.now();
      let done = 0;
      const worker = async (): Promise<void> => {
        while (performance.now() - begun < seconds * 1000) {
          await doOne();
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: CAPACITY_AT_ONCE }, worker));
      return done / ((performance.now() - begun) / 1000);
    };
    step.doing('finding out how much the machine can do');
    await capacity(WARM_UP_SECONDS);
    const perSecond = (await capacity(CAPACITY_SECONDS)) * SHARE_OF_CAPACITY;
    const refusedAtCapacity = sumOf(failures);
    failures.clear();

    step.doing(`${rounded(perSecond, 1)} actions a second for ${MINUTES} minutes`);
    const samples: Sample[] = [];
    const collections: Promise<Record<string, number>>[] = [];
    const underWay = new Set<Promise<void>>();
    const begun = performance.now();
    let started = 0;
    for (let window = 1; window * WINDOW_MS <= MINUTES * 60_000; window += 1) {
      latencies = [];
      do {
        const due = begun + (started * 1000) / perSecond;
        if (due > performance.now()) await delay(due - performance.now());
        const action = doOne().finally(() => underWay.delete(action));
        underWay.add(action);
        started += 1;
      } while (performance.now() < begun + window * WINDOW_MS);
      // On a busy machine, an action may outlast a smoke's window.
      if (latencies.length === 0) await Promise.all(underWay);
      samples.push(await measure(system, habits, latencies));
      if (window % WINDOWS_TO_COLLECTION === 0) collections.push(collect());
    }
    await Promise.all(underWay);

    step.doing('comparing inboxes and tracking with what was accepted');
    const inboxesWithFaults = await countFaulty(system, owners, accepted);
    const { waiting, parked } = await system.events();
    const collected = await Promise.all(collections);
    return {
      bench: 'soak',
      minutes: MINUTES,
      actions: started,
      per_second: rounded(perSecond, 1),
      refused_at_capacity: refusedAtCapacity,
      messages: [...accepted.values()].reduce((sum, ids) => sum + ids.length, 0),
      ...judge({ samples, collected, failures, inboxesWithFaults, eventsLeft: waiting + parked }),
    };
  },
};
