import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { SetupError } from '@najwa/dev/bootstrap/environment';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { processesByService, uniqueName } from '@najwa/testing';
import { ATTACKS, type Attack, type AttackOrder, type AttackReport } from './attacks.js';
import type { SystemBenchmark } from './benchmark.js';
import { startChild } from './child.js';
import { atPace } from './load.js';
import { atMost, type BenchResult } from './result.js';
import { percentile, rounded } from './statistics.js';

/** Part of the names of attacks to run. */
const WANTED = process.env['ATTACKS'] ?? '';
const VISITORS = sizes({ full: 200, smoke: 4 });
/** Four minutes of sound take ten seconds of a core. */
const SOUNDS = sizes({
  full: ['absurd-lengths.wav', 'four-minutes.webm', 'random.webm', 'hls-reads-local-file.webm'],
  smoke: ['absurd-lengths.wav', 'random.webm', 'hls-reads-local-file.webm'],
});
/** Below 30 messages per inbox in ten minutes, which would require a proof of work. */
const OWNERS = sizes({ full: 250, smoke: 2 });
const PHASE_SECONDS = sizes({
  full: { warmUp: 10, quiet: 30, attack: 30, after: 5 },
  smoke: { warmUp: 0.1, quiet: 0.3, attack: 0.3, after: 0.1 },
});
const MEMORY_INTERVAL_MS = 500;
/** Slower calls count as refused. */
const ANSWER_TIMEOUT_MS = 20_000;
const CONTENT = 'رسالة صغيرة من زائر بريء';
const PASSWORD = 'correct horse battery';
const PICTURE = `data:image/png;base64,${readFileSync(
  new URL('../../../services/media/tests/samples/1x1.png', import.meta.url),
).toString('base64')}`;

/** On a site of its own, with its own limits. */
interface Client {
  address: string;
  agent: Agent;
  cookie: string;
}

interface Owner extends Client {
  id: number;
  username: string;
  /** Identifies its device. */
  device: string;
}

const newClient = (kind: number, index: number): Client => ({
  address: `10.${kind}.${index}.1`,
  agent: new Agent({ keepAlive: true }),
  cookie: '',
});

interface Answer {
  status: number;
  text: string;
  cookies: string[];
  milliseconds: number;
}

/** Status 0: the connection failed. */
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
      agent,
      timeout: ANSWER_TIMEOUT_MS,
      headers: {
        origin,
        'x-forwarded-for': address,
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

const pairsOf = ({ cookies }: Answer): string => cookies.map((line) => line.split(';')[0]).join('; ');

async function register(url: string, index: number): Promise<Owner> {
  const client = newClient(1, index);
  const device = pairsOf(await send(url, client, 'GET', '/api/auth-status'));
  const username = uniqueName();
  const answer = await send(url, { ...client, cookie: device }, 'POST', '/api/register', {
    name: 'ليلى',
    username,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    terms: true,
  });
  if (answer.status !== 201) throw new Error(`Registration failed with status ${answer.status}.`);
  const { id } = JSON.parse(answer.text) as { id: number };
  const owner = { ...client, cookie: `${device}; ${pairsOf(answer)}`, device, username, id };
  await logIn(url, owner);
  return owner;
}

/** From a device that is known from the second time on. */
function logIn(url: string, { username, device, address, agent }: Owner): Promise<Answer> {
  return send(url, { address, agent, cookie: device }, 'POST', '/api/login', { username, password: PASSWORD });
}

const sum = (memory: Record<string, number>): number => Object.values(memory).reduce((a, b) => a + b, 0);

/** Calls per second of normal people. */
const CALLS = { message: 10, user: 20, login: 1, picture: 1, page: 5, search: 2 };
type CallName = keyof typeof CALLS;
const CALL_NAMES = Object.keys(CALLS) as CallName[];

const byCall = <Value>(create: () => Value): Record<CallName, Value> =>
  Object.fromEntries(CALL_NAMES.map((name) => [name, create()])) as Record<CallName, Value>;

interface Phase {
  answers: Record<CallName, Answer[]>;
  /** Peaks, of each service and of their sum. */
  memory: Record<string, number>;
}

/** Across phases: continues with the next person, or the first would reach their limits. */
const made = byCall(() => 0);

/** Responses to normal clients, and memory of services. */
async function measure(url: string, owners: Owner[], visitors: Client[], seconds: number): Promise<Phase> {
  const phase: Phase = { answers: byCall(() => []), memory: {} };
  const until = performance.now() + seconds * 1_000;
  const calls: Record<CallName, (visitor: Client, owner: Owner) => Promise<Answer>> = {
    message: (visitor, { id: userId }) => send(url, visitor, 'POST', '/api/messages', { userId, content: CONTENT }),
    user: (_, owner) => send(url, owner, 'GET', '/api/user'),
    login: (_, owner) => logIn(url, owner),
    picture: (visitor, { id: userId }) =>
      send(url, visitor, 'POST', '/api/messages', { userId, content: CONTENT, imageUrl: PICTURE }),
    page: (visitor, { username }) => send(url, visitor, 'GET', `/m/${username}`),
    search: (_, owner) => send(url, owner, 'GET', `/api/messages?q=${encodeURIComponent(CONTENT)}`),
  };
  await Promise.all([
    ...CALL_NAMES.map((name) =>
      atPace(CALLS[name], until, async () => {
        const index = made[name]++;
        const [visitor, owner] = [visitors[index % VISITORS], owners[index % OWNERS]];
        if (visitor && owner) phase.answers[name].push(await calls[name](visitor, owner));
      }),
    ),
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

function figuresOf({ answers, memory }: Phase) {
  const times = (answers: Answer[]) => {
    const milliseconds = answers.map((answer) => answer.milliseconds);
    return Object.fromEntries([50, 95, 99].map((part) => [`p${part}`, rounded(percentile(milliseconds, part), 1)]));
  };
  return {
    ...Object.fromEntries(
      CALL_NAMES.map((name) => [
        name,
        { milliseconds: times(answers[name]), calls: answers[name].length, refused: refused(answers[name]) },
      ]),
    ),
    megabytes: Object.fromEntries(Object.entries(memory).map(([name, value]) => [name, rounded(value, 0)])),
  };
}

async function during<Result>(
  order: AttackOrder,
  work: () => Promise<Result>,
): Promise<{ result: Result; answers: AttackReport }> {
  const { child } = await startChild<AttackReport>(new URL('./attacker.js', import.meta.url), order);
  // A real attacker has another machine, and takes no processor time here.
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
 * Normal visitors at default limits, alone and under each attack from one address, a home line, a tunnel, or eight
 * sites.
 */
export const attack: SystemBenchmark = {
  // Smokes share a system without limits.
  needs: () => ({ env: { RATE_LIMIT_SCALE: sizes({ full: '1', smoke: '0' }), TRUSTED_PROXIES: '127.0.0.1' } }),
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
      const isOnItself = name === 'texts against filters';
      const order = {
        attack: name,
        url,
        number: index,
        userId: isOnItself ? attacker.id : victim.id,
        username: attacker.username,
        cookie: attacker.cookie,
        sounds: SOUNDS,
      };
      const { result: phase, answers } = await during(order, () => measureFor(PHASE_SECONDS.attack));
      attacked.push({ attack: name, phase, answers });
      // Its remaining calls must not count for the next.
      await measureFor(PHASE_SECONDS.after);
    }
    for (const { agent } of [...owners, ...visitors]) agent.destroy();

    const aimsOf = ({ attack: kind, phase }: (typeof attacked)[number]): BenchResult['aims'] => {
      const name = kind.replaceAll(' ', '_');
      return {
        ...Object.fromEntries(
          CALL_NAMES.map((call) => [
            `${call}_p99_under_${name}_to_quiet`,
            atMost(p99(phase.answers[call]) / p99(quiet.answers[call]), 2, 2),
          ]),
        ),
        [`memory_under_${name}_to_quiet`]: atMost(
          (phase.memory['all'] ?? Number.NaN) / (quiet.memory['all'] ?? Number.NaN),
          1.5,
          2,
        ),
      };
    };
    return {
      bench: 'attack',
      aims: {
        ...(Object.assign({}, ...attacked.map(aimsOf)) as BenchResult['aims']),
        refused_under_attack: atMost(
          attacked.reduce((total, { phase }) => total + refused(Object.values(phase.answers).flat()), 0),
          0,
        ),
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
