import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@najwa/dev/bootstrap/processes';
import { rounds, sizes } from '@najwa/dev/bootstrap/smoke';
import { provideInfrastructure } from '@najwa/dev/infrastructure';
import type { Step } from '@najwa/dev/reporter';
import { startTestBed, type TestBed } from '@najwa/testing';
import { Pool, request } from 'undici';
import type { OtherBenchmark } from '../benchmark.js';
import type { ChildServer } from '../child.js';
import { serve, timesAtPace, type Load, type Request } from '../load.js';
import { processorSeconds, TICK_SECONDS } from '../processor-time.js';
import { atLeast, atMost, type BenchResult } from '../result.js';
import { median, percentile, rounded } from '../statistics.js';
import type { BareAnswer } from './bare-server.js';
import { isPinned, pinLoad } from './pinned.js';
import { startBare, startGateway, startProxy, startWeb } from './servers.js';

const ROUNDS = rounds(5);
const LOAD = sizes<Load>({ full: { connections: 50, seconds: 3 }, smoke: { connections: 2, amount: 100 } });
const WARM_UP = sizes<Load>({ full: { connections: 50, seconds: 2 }, smoke: { connections: 2, amount: 10 } });
const PUBLISHED = sizes({ full: 20, smoke: 2 });
/** Share of the peak rate. */
const PACE = 0.7;
/** What the load can keep to. */
const MAX_PACE = 5_000;
const PACED_SECONDS = sizes({ full: 5, smoke: 0.2 });
const RENDERED_MS = 60_000;

/** Of a returning phone. */
const HEADERS = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'ar,en;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
};
const VISITOR = { cookie: 'najwa_visitor=AAAAAAAAAAAAAAAAAAAAAA' };

interface Measured {
  perSecond: number;
  /** Requests per second of processor time. */
  perCoreSecond: number;
  p50: number;
  p99: number;
}

async function measure({ url, pid }: ChildServer, target: string, request: Request): Promise<Measured> {
  const before = processorSeconds(pid);
  const { perSecond, total, p50, p99 } = await serve(`${url}${target}`, LOAD, request);
  const after = processorSeconds(pid);
  const perCoreSecond =
    before === undefined || after === undefined ? perSecond : total / Math.max(after - before, TICK_SECONDS);
  return { perSecond, perCoreSecond, p50, p99 };
}

async function pacedTimes({ server, target }: Contestant, perSecond: number, headers: Record<string, string>) {
  const pool = new Pool(server.url, { connections: LOAD.connections });
  const times = await timesAtPace(perSecond, PACED_SECONDS, async () => {
    const { statusCode, body } = await pool.request({ path: target, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${target} was answered with status ${statusCode}.`);
  });
  await pool.close();
  return { p50: rounded(percentile(times, 50), 2), p99: rounded(percentile(times, 99), 2) };
}

const medianOf = (all: readonly Measured[]): Measured => ({
  perSecond: rounded(median(all.map(({ perSecond }) => perSecond)), 0),
  perCoreSecond: rounded(median(all.map(({ perCoreSecond }) => perCoreSecond)), 0),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
});

/** Of alternating rounds. */
const ratiosOf = (ours: readonly Measured[], theirs: readonly Measured[]): number[] =>
  ours.map(({ perCoreSecond }, round) => perCoreSecond / (theirs[round]?.perCoreSecond ?? Number.NaN));

interface Contestant {
  name: string;
  server: ChildServer;
  target: string;
}

/** In alternating rounds. */
async function compete(contestants: readonly Contestant[], request: Request): Promise<Record<string, Measured[]>> {
  const results: Record<string, Measured[]> = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (const { server, target } of contestants) await serve(`${server.url}${target}`, WARM_UP, request);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, server, target } of contestants) results[name]?.push(await measure(server, target, request));
  return results;
}

interface Site {
  bed: TestBed;
  targets: Record<'page' | 'profile' | 'list', string>;
}

/** With published messages. */
async function fillSite(bed: TestBed): Promise<Site> {
  const owner = await bed.newAccount({ name: 'ليلى', bio: 'اكتب لي ما تشاء' });
  for (let count = 0; count < PUBLISHED; count += 1) {
    const { id } = await bed.sendMessage(owner.id);
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity: owner.identity, body: { isPublic: true } });
  }
  const targets = {
    page: `/m/${owner.username}`,
    profile: `/api/users/${owner.username}`,
    list: `/api/messages/public/${owner.id}?limit=20`,
  };
  return { bed, targets };
}

/** As sent by the gateway. */
async function bytesOf(url: string): Promise<BareAnswer> {
  // fetch would decompress.
  const { statusCode, headers, body } = await request(url, { headers: HEADERS });
  const kept = ['content-type', 'content-encoding'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  return {
    status: statusCode,
    headers: Object.fromEntries(kept) as Record<string, string>,
    body: bytes.toString('base64'),
  };
}

async function visits(site: Site, gateway: ChildServer, step: Step) {
  const isRendered = async (): Promise<boolean> => {
    const { body } = await request(`${gateway.url}${site.targets.page}`);
    return (await body.text()).includes('data-rendered');
  };
  if (!(await until(isRendered, { timeoutMs: RENDERED_MS }))) throw new Error('The page was not rendered.');
  // A crowd comes for the first time.
  const targets = { ...site.targets, first: site.targets.page };
  const answers: Record<string, BareAnswer> = {};
  for (const [kind, target] of Object.entries(targets)) answers[kind] = await bytesOf(`${gateway.url}${target}`);
  const figures: Record<string, unknown> = {};
  const aims: BenchResult['aims'] = {};
  for (const [kind, target] of Object.entries(targets)) {
    const headers = kind === 'first' ? HEADERS : { ...HEADERS, ...VISITOR };
    const answer = answers[kind];
    if (answer === undefined) continue;
    step.doing(`asking for the ${kind}`);
    const bare = await startBare(answer);
    const contestants = [
      { name: 'gateway', server: gateway, target },
      { name: 'bare', server: bare, target: '/' },
    ] as const;
    const results = await compete(contestants, { headers });
    const ours = results['gateway'] ?? [];
    const perSecond = Math.min(PACE * medianOf(ours).perSecond, MAX_PACE);
    const [paced, barePaced] = [
      await pacedTimes(contestants[0], perSecond, headers),
      await pacedTimes(contestants[1], perSecond, headers),
    ];
    bare.stop();
    aims[`${kind}_to_bare_ratio`] = atLeast(ratiosOf(ours, results['bare'] ?? []), 0.7);
    aims[`${kind}_p99_ms_at_70_percent`] = atMost(paced.p99, 10);
    figures[kind] = {
      bytes: Buffer.from(answer.body, 'base64').length,
      encoding: answer.headers['content-encoding'] ?? 'none',
      ...Object.fromEntries(Object.entries(results).map(([name, rounds]) => [name, medianOf(rounds)])),
      gateway_at_70_percent: paced,
      bare_at_that_rate: barePaced,
    };
  }
  return { figures, aims };
}

const MESSAGE = JSON.stringify({
  userId: 1,
  content: 'ما الشيء الذي تمنيت لو أنك قلته لي يوم التقينا أول مرة، ولم تقله؟',
});

/** Through each shell of the gateway, and through a bare undici proxy. */
async function proxied(environment: NodeJS.ProcessEnv) {
  const created = await startBare({
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: btoa('{"id":1}'),
  });
  const gateway = await startGateway({ ...environment, MESSAGES_URL: created.url });
  const plain = await startGateway({ ...environment, MESSAGES_URL: created.url, GATEWAY_SHELL: 'plain' });
  const proxy = await startProxy({ target: created.url });
  try {
    const target = '/api/messages';
    const results = await compete(
      [
        { name: 'gateway', server: gateway, target },
        { name: 'plain', server: plain, target },
        { name: 'proxy', server: proxy, target },
      ],
      {
        method: 'POST',
        headers: { ...HEADERS, ...VISITOR, 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
        body: MESSAGE,
      },
    );
    const { gateway: ours = [], plain: onPlain = [], proxy: theirs = [] } = results;
    const figures = { gateway: medianOf(ours), plain_shell: medianOf(onPlain), proxy: medianOf(theirs) };
    return {
      ratios: ratiosOf(ours, theirs),
      figures: { ...figures, plain_shell_to_gateway: rounded(median(ratiosOf(onPlain, ours))) },
    };
  } finally {
    for (const server of [gateway, plain, proxy, created]) server.stop();
  }
}

/**
 * Two workers relative to one. With too few cores, requests per second of processor time are multiplied by the workers,
 * which still shows contention.
 */
async function workers(site: Site, one: ChildServer, environment: NodeJS.ProcessEnv) {
  const request = { headers: { ...HEADERS, ...VISITOR } };
  const two = await startGateway({ ...environment, GATEWAY_WORKERS: '2' });
  try {
    const target = site.targets.profile;
    const results = await compete(
      [
        { name: 'one', server: one, target },
        { name: 'two', server: two, target },
      ],
      request,
    );
    return ratiosOf(results['two'] ?? [], results['one'] ?? []).map((ratio) => 2 * ratio);
  } finally {
    two.stop();
  }
}

async function measureSite(bed: TestBed, web: ChildServer, step: Step) {
  const environment = {
    ...bed.environmentOf('gateway'),
    // Limits are counted, but never reached.
    RATE_LIMIT_SCALE: '100000',
    WEB_URL: web.url,
  };
  step.doing('filling a page');
  const site = await fillSite(bed);
  const gateway = await startGateway(environment);
  try {
    const { figures, aims } = await visits(site, gateway, step);
    step.doing('sending messages');
    const post = await proxied(environment);
    step.doing('asking two workers');
    return { figures, aims, post, twoWorkers: await workers(site, gateway, environment) };
  } finally {
    gateway.stop();
  }
}

/** The gateway's answers relative to simpler servers. */
export const visit: OtherBenchmark = {
  async run({ reporter, step }): Promise<BenchResult> {
    step.doing('starting servers and services');
    const folder = await mkdtemp(path.join(tmpdir(), 'najwa-bench-'));
    const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
    try {
      const infrastructure = await provideInfrastructure({ dataDir: folder, reporter, persistent: false });
      ends.push(() => infrastructure.stop());
      Object.assign(process.env, infrastructure.env);
      const bed = await startTestBed({ services: ['auth', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
      ends.push(() => bed.stop());
      const web = await startWeb(path.join(folder, 'client'));
      ends.push(() => web.stop());
      ends.push(pinLoad());
      const { figures, aims, post, twoWorkers } = await measureSite(bed, web, step);
      return {
        bench: 'visit',
        aims: {
          ...aims,
          proxied_post_to_bare_proxy_ratio: atLeast(post.ratios, 0.75),
          two_workers_to_one_ratio: atLeast(twoWorkers, 1.8),
        },
        ...figures,
        proxied_post: post.figures,
        pinned: isPinned ? 'servers on core 0, load on the others' : 'no',
        cores: availableParallelism(),
        ratios_of: 'requests for each second of processor time of the server',
        connections: LOAD.connections,
        rounds: ROUNDS,
      };
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
};
