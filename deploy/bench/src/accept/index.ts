import { randomUUID } from 'node:crypto';
import { rounds as roundsOf, sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import { deleteTopology, dropDatabase, type TestAccount, type TestSystem } from '@najwa/testing';
import type { SystemBenchmark } from '../benchmark.js';
import { startChildServer } from '../child.js';
import { serve, type Load, type Served } from '../load.js';
import { secondsByProgram } from '../processor-time.js';
import { atLeast } from '../result.js';
import { insertRecords, reserveIds } from '../seeding.js';
import { median, rounded } from '../statistics.js';
import { guardInbox } from './guarded-inbox.js';
import type { PlainDatabase } from './insert-server.js';
import type { RivalOrder } from './rival-server.js';

const ROUNDS = roundsOf(3);
/** An amount, not a time: a time limit would leave messages to the next load. */
const LOADS = sizes<(Load & { amount: number })[]>({
  full: [
    { connections: 1, amount: 50 },
    { connections: 20, amount: 300 },
    { connections: 200, amount: 600 },
  ],
  smoke: [{ connections: 2, amount: 10 }],
});
/** The load of the aims. */
const CROWD = LOADS.at(-1) ?? { connections: 1, amount: 1 };
const INBOXES = sizes({ full: 10_000, smoke: 20 });
/** For the events of a round. */
const EVENTS_MS = 120_000;

const CONTENT = 'ما الشيء الذي تمنيت لو أنك قلته لي يوم التقينا أول مرة، ولم تقله؟';

interface Server {
  name: 'insert' | 'rival' | 'ours';
  url: string;
  /** @throws while events of accepted messages are unhandled */
  requireHandled: () => Promise<void>;
}

interface Spread {
  name: 'one' | 'many';
  next: () => number;
}

/** Each a submission by a new visitor. @throws if one is refused */
const send = (url: string, load: Load, next: Spread['next']): Promise<Served> =>
  serve(`${url}/api/messages`, load, {
    method: 'POST',
    draw: () => ({
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ userId: next(), content: CONTENT }),
    }),
  });

/** Directly in the database: registration is slow on purpose. @returns their ids */
async function copyAccounts(system: TestSystem, account: TestAccount): Promise<number[]> {
  const connection = await system.openDatabase('auth');
  try {
    const below = await reserveIds(connection, 'users', INBOXES);
    const { _id, ...original } = (await connection.collection('users').findOne({ id: account.id })) ?? {};
    await insertRecords(connection, 'users', { first: below + 1, last: below + INBOXES }, (id) => {
      const name = `copy-${id}`;
      return { ...original, id, username: name, usernameSkeleton: name, submission: { key: name, content: '' } };
    });
    return Array.from({ length: INBOXES }, (_, index) => below + 1 + index);
  } finally {
    await connection.close();
  }
}

/** @returns also a function that stops them all */
async function startServers(
  system: TestSystem,
  recipients: number[],
): Promise<{ servers: Server[]; stop: () => Promise<void> }> {
  const { MONGO_URL = '', AMQP_URL = '' } = system.infrastructure.env;
  const [database, amqpPrefix] = [system.databaseOf('messages'), `rival-${randomUUID().slice(0, 8)}`];
  const ours = await system.openDatabase('messages');
  const plain: PlainDatabase = { url: MONGO_URL, name: `${database}_plain` };
  const order: RivalOrder = {
    mongoUrl: MONGO_URL,
    database: `${database}_rival`,
    amqpUrl: AMQP_URL,
    amqpPrefix,
    recipients,
  };
  const insert = await startChildServer(new URL('./insert-server.js', import.meta.url), plain);
  const rival = await startChildServer(new URL('./rival-server.js', import.meta.url), order);
  const servers: Server[] = [
    { name: 'insert', url: insert.url, requireHandled: () => Promise.resolve() },
    {
      name: 'rival',
      url: rival.url,
      async requireHandled() {
        const { waiting } = (await (await fetch(`${rival.url}/waiting`)).json()) as { waiting: number };
        if (waiting > 0) throw new Error(`${waiting} events of the rival wait.`);
      },
    },
    {
      name: 'ours',
      url: system.url,
      async requireHandled() {
        const messages = ours.collection('messages');
        if (await messages.findOne({ 'outbox.at': { $gt: new Date(0) } })) throw new Error('Messages have events.');
        const { waiting } = await system.events();
        if (waiting > 0) throw new Error(`${waiting} events wait.`);
      },
    },
  ];
  return {
    servers,
    async stop() {
      insert.stop();
      rival.stop();
      await ours.close();
      await dropDatabase(MONGO_URL, plain.name);
      await dropDatabase(MONGO_URL, order.database);
      await deleteTopology(AMQP_URL, amqpPrefix, ['tracking']);
    },
  };
}

interface Round extends Served {
  /** Milliseconds of processor time per message, its events included. */
  cost: Record<string, number>;
}

async function measure(system: TestSystem, server: Server, load: Load, next: Spread['next']): Promise<Round> {
  const before = secondsByProgram();
  const served = await send(server.url, load, next);
  await system.eventually(server.requireHandled, EVENTS_MS);
  const cost: Record<string, number> = {};
  for (const [program, seconds] of secondsByProgram())
    cost[program] = ((seconds - (before.get(program) ?? 0)) * 1000) / served.total;
  return { ...served, cost };
}

const medianOf = (rounds: readonly Round[], pick: (round: Round) => number, digits = 1): number =>
  rounded(median(rounds.map(pick)), digits);

/** Without the benchmark's client. */
const costOfAll = ({ cost }: Round): number =>
  Object.entries(cost).reduce((sum, [program, milliseconds]) => sum + (program === 'client' ? 0 : milliseconds), 0);

const figuresOf = (rounds: readonly Round[]) => ({
  per_second: medianOf(rounds, ({ perSecond }) => perSecond),
  p50: medianOf(rounds, ({ p50 }) => p50),
  p99: medianOf(rounds, ({ p99 }) => p99),
  milliseconds: medianOf(rounds, costOfAll, 2),
  by_program: Object.fromEntries(
    Object.keys(rounds[0]?.cost ?? {}).flatMap((program) => {
      const milliseconds = medianOf(rounds, ({ cost }) => cost[program] ?? 0, 2);
      return milliseconds > 0 ? [[program, milliseconds]] : [];
    }),
  ),
});

/** Ratios of an account with many blocks and words to one without, in alternating rounds. */
async function guardedRatios(system: TestSystem): Promise<number[]> {
  const [open, guarded] = [await system.newAccount(), await system.newAccount()];
  await guardInbox(system, guarded, { blocks: 1_000, words: 100 });
  const sendTo = (account: TestAccount) => send(system.url, CROWD, () => account.id);
  for (const account of [open, guarded]) await sendTo(account);
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await sendTo(open);
    ratios.push((await sendTo(guarded)).perSecond / without.perSecond);
  }
  return ratios;
}

type Rounds = Record<Server['name'], Round[]>;

const emptyRounds = (): Rounds => ({ insert: [], rival: [], ours: [] });

/** Rounds alternate, so that other load affects all servers alike. */
async function measureLoads(system: TestSystem, servers: readonly Server[], spreads: readonly Spread[], step: Step) {
  const loads = spreads.flatMap((spread) => LOADS.map((load) => ({ spread, load, rounds: emptyRounds() })));
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const { spread, load, rounds } of loads)
      for (const server of servers) {
        step.doing(`round ${round} of ${ROUNDS}: ${load.connections} connections, ${spread.name}, ${server.name}`);
        rounds[server.name].push(await measure(system, server, load, spread.next));
      }
  return loads;
}

/**
 * Accepted messages per second and their processor time, compared with a bare insert server and with one process that
 * gives the same guarantees.
 */
export const accept: SystemBenchmark = {
  needs: () => ({
    // Limits are counted, but never reached. Smokes share a system without limits.
    env: { RATE_LIMIT_SCALE: sizes({ full: '100000', smoke: '0' }) },
    ownParts: ['mongo', 'amqp'],
  }),
  async run({ system, step }) {
    step.doing(`copying an account ${INBOXES} times`);
    const account = await system.newAccount();
    const recipients = await copyAccounts(system, account);
    const spreads: Spread[] = [
      { name: 'one', next: () => account.id },
      { name: 'many', next: () => recipients[Math.floor(Math.random() * INBOXES)] ?? account.id },
    ];
    step.doing('starting the servers beside it');
    const { servers, stop } = await startServers(system, [account.id, ...recipients]);
    try {
      step.doing('warming up');
      for (const { url } of servers) for (const { next } of spreads) await send(url, CROWD, next);
      for (const { requireHandled } of servers) await system.eventually(requireHandled, EVENTS_MS);
      const loads = await measureLoads(system, servers, spreads, step);
      step.doing('sending to an account with blocks and words');
      const guarded = await guardedRatios(system);
      const crowd = loads.find(({ spread, load }) => spread.name === 'one' && load === CROWD)?.rounds;
      const ratiosTo = (other: 'insert' | 'rival'): number[] =>
        (crowd?.ours ?? []).map(({ perSecond }, round) => perSecond / (crowd?.[other][round]?.perSecond ?? 0));
      return {
        bench: 'accept',
        aims: {
          accepted_to_insert_ratio: atLeast(ratiosTo('insert'), 0.55, 2),
          accepted_to_rival_ratio: atLeast(ratiosTo('rival'), 6, 2),
          /** A thousand blocks and a hundred words. */
          accepted_guarded_ratio: atLeast(guarded, 0.95, 2),
        },
        loads: loads.map(({ spread, load, rounds }) => ({
          connections: load.connections,
          inboxes: spread.name === 'one' ? 1 : INBOXES,
          insert: figuresOf(rounds.insert),
          rival: figuresOf(rounds.rival),
          ours: figuresOf(rounds.ours),
        })),
        rounds: ROUNDS,
      };
    } finally {
      await stop();
    }
  },
};
