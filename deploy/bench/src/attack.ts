import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { processesByService, SetupError, sizes, uniqueName } from '@najwa/dev-env';
import { ATTACKS, type Attack, type AttackOrder, type AttackReport } from './attacks.js';
import type { SystemBenchmark } from './benchmark.js';
import { startChild } from './child.js';
import type { BenchResult } from './result.js';
import { percentile, rounded } from './statistics.js';

/** A part of the names of those to try. */
const WANTED = process.env['ATTACKS'] ?? '';
const VISITORS = sizes({ full: 200, smoke: 4 });
/** Four minutes take a core ten seconds. */
const SOUNDS = sizes({
  full: ['absurd-lengths.wav', 'four-minutes.webm', 'random.webm', 'hls-reads-local-file.webm'],
  smoke: ['absurd-lengths.wav', 'random.webm', 'hls-reads-local-file.webm'],
});
/** So many that no inbox gets 30 messages in ten minutes, which would be a wave and ask visitors for work. */
const OWNERS = sizes({ full: 160, smoke: 2 });
const MESSAGES_PER_SECOND = 10;
const READS_PER_SECOND = 20;
const PHASE_SECONDS = sizes({
  full: { warmUp: 10, quiet: 30, attack: 30, after: 5 },
  smoke: { warmUp: 0.1, quiet: 0.3, attack: 0.3, after: 0.1 },
});
const MEMORY_INTERVAL_MS = 500;
/** Calls that take longer count as refused. */
const ANSWER_TIMEOUT_MS = 20_000;
const CONTENT = 'رسالة صغيرة من زائر بريء';
const PASSWORD = 'correct horse battery';

/** A client with its own loopback address, so that it has its own limits. */
interface Client {
  address: string;
  agent: Agent;
  cookie: string;
}

interface Owner extends Client {
  id: number;
}

const newClient = (kind: number, index: number): Client => ({
  address: `127.0.${kind}.${index + 1}`,
  agent: new Agent({ keepAlive: true }),
  cookie: '',
});

interface Answer {
  status: number;
  text: string;
  cookies: string[];
  milliseconds: number;
}

/** Status 0 means that the connection failed. */
function send(
  url: string,
  { address, agent, cookie }: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const { hostname, port, origin } = new URL(url);
  const text = body === undefined ? '' : JSON.stringify(body);
  const begun = performance.now();
  return new Promise((resolve) => {
    const client = request({
      hostname,
      port,
      method,
      path,
      localAddress: address,
      agent,
      timeout: ANSWER_TIMEOUT_MS,
      headers: {
        origin,
        'x-requested-with': 'XMLHttpRequest',
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'idempotency-key': randomUUID(),
        }),
      },
    });
    const end = (status: number, received: string, cookies: string[]): void =>
      resolve({ status, text: received, cookies, milliseconds: performance.now() - begun });
    client.once('timeout', () => client.destroy(new Error('No answer in time.')));
    client.once('error', () => end(0, '', []));
    client.once('response', (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      response.once('close', () => end(response.statusCode ?? 0, received, response.headers['set-cookie'] ?? []));
    });
    client.end(text);
  });
}

async function register(url: string, index: number): Promise<Owner> {
  const client = newClient(1, index);
  const { status, text, cookies } = await send(url, client, 'POST', '/api/register', {
    name: 'ليلى',
    username: uniqueName(),
    password: PASSWORD,
    confirmPassword: PASSWORD,
    terms: true,
  });
  if (status !== 201) throw new Error(`Registration failed with status ${status}.`);
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  return { ...client, cookie, id: (JSON.parse(text) as { id: number }).id };
}

/** Calls `work` at a steady rate, independent of response times. */
async function atPace(perSecond: number, until: number, work: (index: number) => Promise<void>): Promise<void> {
  const calls: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; performance.now() < until; index += 1) {
    calls.push(work(index));
    await delay(Math.max(0, begun + ((index + 1) * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(calls);
}

const sum = (memory: Record<string, number>): number => Object.values(memory).reduce((a, b) => a + b, 0);

interface Phase {
  messages: Answer[];
  reads: Answer[];
  /** Peak of each service, and the peak of their sum. */
  memory: Record<string, number>;
}

/** Measures the responses to normal clients and the memory of the services. */
async function measure(url: string, owners: Owner[], visitors: Client[], seconds: number): Promise<Phase> {
  const phase: Phase = { messages: [], reads: [], memory: {} };
  const until = performance.now() + seconds * 1_000;
  await Promise.all([
    atPace(MESSAGES_PER_SECOND, until, async (index) => {
      const [visitor, owner] = [visitors[index % VISITORS], owners[index % OWNERS]];
      if (!visitor || !owner) return;
      const body = { userId: owner.id, content: CONTENT };
      phase.messages.push(await send(url, visitor, 'POST', '/api/messages', body));
    }),
    atPace(READS_PER_SECOND, until, async (index) => {
      const owner = owners[index % OWNERS];
      if (owner) phase.reads.push(await send(url, owner, 'GET', '/api/user'));
    }),
    atPace(1_000 / MEMORY_INTERVAL_MS, until, async () => {
      const processes = Object.entries(await processesByService());
      const now = Object.fromEntries(processes.map(([name, { megabytes }]) => [name, megabytes]));
      for (const [name, megabytes] of [...Object.entries(now), ['all', sum(now)] as const])
        phase.memory[name] = Math.max(phase.memory[name] ?? 0, megabytes);
    }),
  ]);
  return phase;
}

const refused = (answers: Answer[]): number => answers.filter(({ status }) => status < 200 || status > 299).length;

function figuresOf({ messages, reads, memory }: Phase) {
  const times = (answers: Answer[]) => {
    const milliseconds = answers.map((answer) => answer.milliseconds);
    return Object.fromEntries([50, 95, 99].map((part) => [`p${part}`, rounded(percentile(milliseconds, part), 1)]));
  };
  return {
    message_milliseconds: times(messages),
    messages: messages.length,
    messages_refused: refused(messages),
    user_milliseconds: times(reads),
    users_refused: refused(reads),
    megabytes: Object.fromEntries(Object.entries(memory).map(([name, value]) => [name, rounded(value, 0)])),
  };
}

async function during<Result>(
  order: AttackOrder,
  work: () => Promise<Result>,
): Promise<{ result: Result; answers: AttackReport }> {
  const { child } = await startChild<AttackReport>(new URL('./attacker.js', import.meta.url), order);
  // A real one has a machine of its own, and takes no processor time of the services by making its requests.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let answers: AttackReport = {};
  child.on('message', (report: AttackReport) => (answers = report));
  const ended = once(child, 'exit').then(() => {
    throw new SetupError(`The attacker with ${order.attack} ended.`);
  });
  try {
    return { result: await Promise.race([work(), ended]), answers };
  } finally {
    child.disconnect();
  }
}

const p99 = (answers: Answer[]): number =>
  percentile(
    answers.map(({ milliseconds }) => milliseconds),
    99,
  );

/**
 * Measures normal visitors at the default limits, first alone, and then while one address tries each of the attacks. The
 * phases run one after the other.
 */
export const attack: SystemBenchmark = {
  // The smokes share a system without limits.
  needs: () => ({ env: { RATE_LIMIT_SCALE: sizes({ full: '1', smoke: '0' }) } }),
  async run({ system: { url }, step }) {
    step.doing('registering accounts');
    const owners: Owner[] = [];
    for (let index = 0; index < OWNERS; index += 1) owners.push(await register(url, index));
    const attacker = await register(url, OWNERS);
    const victim = await register(url, OWNERS + 1);
    const visitors = Array.from({ length: VISITORS }, (_, index) => newClient(2, index));
    const measureFor = (seconds: number): Promise<Phase> => measure(url, owners, visitors, seconds);
    step.doing('measuring visitors alone');
    await measureFor(PHASE_SECONDS.warmUp);
    const quiet = await measureFor(PHASE_SECONDS.quiet);
    const attacked: { attack: Attack; phase: Phase; answers: AttackReport }[] = [];
    for (const [index, name] of (Object.keys(ATTACKS) as Attack[]).entries()) {
      if (!name.includes(WANTED)) continue;
      step.doing(`under ${name}`);
      // Limits that one attack has reached would keep the next from the decoders.
      const address = `127.0.66.${index + 1}`;
      const order = { attack: name, url, address, userId: victim.id, cookie: attacker.cookie, sounds: SOUNDS };
      const { result: phase, answers } = await during(order, () => measureFor(PHASE_SECONDS.attack));
      attacked.push({ attack: name, phase, answers });
      // Calls that it left under way must not be counted for the next.
      await measureFor(PHASE_SECONDS.after);
    }
    for (const { agent } of [...owners, ...visitors]) agent.destroy();

    const aimsOf = ({ attack: kind, phase }: (typeof attacked)[number]): BenchResult['aims'] => {
      const name = kind.replaceAll(' ', '_');
      const ratio = (value: number, aim: number) => ({ value: rounded(value, 2), aim, better: 'lower' as const });
      return {
        [`message_p99_under_${name}_to_quiet`]: ratio(p99(phase.messages) / p99(quiet.messages), 2),
        [`user_p99_under_${name}_to_quiet`]: ratio(p99(phase.reads) / p99(quiet.reads), 2),
        [`memory_under_${name}_to_quiet`]: ratio(
          (phase.memory['all'] ?? Number.NaN) / (quiet.memory['all'] ?? Number.NaN),
          1.5,
        ),
      };
    };
    return {
      bench: 'attack',
      aims: {
        ...(Object.assign({}, ...attacked.map(aimsOf)) as BenchResult['aims']),
        refused_under_attack: {
          value: attacked.reduce((total, { phase }) => total + refused([...phase.messages, ...phase.reads]), 0),
          aim: 0,
          better: 'lower',
        },
      },
      quiet: figuresOf(quiet),
      attacks: Object.fromEntries(
        attacked.map(({ attack: name, phase, answers }) => [
          name,
          { ...figuresOf(phase), answers_to_attacker: answers },
        ]),
      ),
    };
  },
};
