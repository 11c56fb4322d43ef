import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SetupError } from '@najwa/dev/bootstrap/environment';
import { isSmoke, rounds, sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import type { TestSystem } from '@najwa/testing';
import type { SystemBenchmark } from './benchmark.js';
import { CHROMIUM, CHROMIUM_FLAGS, requireChromium } from './chromium.js';
import { measureFirstMessage } from './first-message.js';
import { atLeast, atMost, type BenchResult } from './result.js';
import { median, rounded } from './statistics.js';

const runProgram = promisify(execFile);

/** The newest for Node 20. Fetched per run: 185 MB are no dependency. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const ROUNDS = rounds(3);
/** A bare page and ours. */
const PAGES = sizes({ full: 4, smoke: 2 });
const RUN_MS = 180_000;

/** The same in each round. */
const OTHERS = ['accessibility', 'best-practices', 'seo'] as const;
/** Milliseconds, except layout shift. */
const AUDITS = {
  firstPaint: 'first-contentful-paint',
  largestPaint: 'largest-contentful-paint',
  blocked: 'total-blocking-time',
  shift: 'cumulative-layout-shift',
} as const;

const AIMS = { performance: 95, others: 100, largestPaint: 1.5 };

type Figures = Record<'performance' | keyof typeof AUDITS, number> & Partial<Record<(typeof OTHERS)[number], number>>;

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

const PUBLISHED = sizes({ full: 8, smoke: 1 });

/** With picture, bio, messages and replies. @returns its path */
async function fillPage(system: TestSystem): Promise<string> {
  const { id, username, cookie } = await system.newAccount({ name: 'ليلى الحربي' });
  const own = async (method: string, target: string, body: object): Promise<void> => {
    const { status } = await system.request(method, target, { body, cookie });
    if (status >= 300) throw new Error(`${method} ${target} failed with status ${status}.`);
  };
  const avatar = await readFile(path.resolve(import.meta.dirname, '../../../docs/images/home.ar.png'));
  await own('PATCH', '/api/users', {
    bio: 'أكتب وأصوّر. قل لي ما لم تقله بعد.',
    avatar: `data:image/png;base64,${avatar.toString('base64')}`,
  });
  for (let count = 1; count <= PUBLISHED; count += 1) {
    const content = `السؤال ${count}: ما أجمل نصيحة تلقّيتِها في حياتك، ولماذا بقيت معك كل هذا الوقت؟`;
    const { id: messageId } = await system.sendMessage(id, { content });
    await own('POST', '/api/replies', { messageId, content: 'لا تشرحي نفسك لمن قرّر ألّا يفهم.' });
    await own('PATCH', `/api/messages/${messageId}`, { isPublic: true });
  }
  return `/m/${username}`;
}

/** Text only, the best that this machine can reach. */
async function startBarePage(url: string): Promise<Server> {
  const html = await (await fetch(url)).text();
  const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? '';
  const text = body
    .replace(/<(script|style|svg|noscript)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .split(/\n\s*/)
    .filter((line) => line.trim() !== '');
  const page = `<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>بسيطة</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="description" content="النص وحده."></head>
<body><main><h1>${text[0] ?? ''}</h1>${text.map((line) => `<p>${line}</p>`).join('')}</main></body></html>`;
  const bytes = gzipSync(page);
  const server = createServer((request, response) => {
    if (request.url !== '/') response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** @throws {SetupError} if something is missing */
async function provideLighthouse(): Promise<void> {
  await requireChromium();
  await runProgram('npx', ['--yes', LIGHTHOUSE, '--version']).catch(() => {
    throw new SetupError(`npx cannot fetch ${LIGHTHOUSE}: it needs npm's registry.`);
  });
}

/** @returns its program, if npx has fetched it. A smoke does not, which takes minutes */
async function findLighthouse(): Promise<string | undefined> {
  const fetched = path.join(process.env['npm_config_cache'] ?? path.join(homedir(), '.npm'), '_npx');
  for (const folder of await readdir(fetched).catch(() => [])) {
    const root = path.join(fetched, folder, 'node_modules/lighthouse');
    const manifest = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => '{}');
    const { version } = JSON.parse(manifest) as { version?: string };
    if (LIGHTHOUSE === `lighthouse@${version}`) return path.join(root, 'cli/index.js');
  }
  return undefined;
}

/** As a phone on a slow line. */
async function measure(program: string, url: string, folder: string, categories: readonly string[]): Promise<Figures> {
  const file = path.join(folder, 'report.json');
  const options = [
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories.join()}`,
    `--chrome-flags=${CHROMIUM_FLAGS.join(' ')}`,
  ];
  const run = () =>
    runProgram(process.execPath, [program, url, ...options], {
      env: { ...process.env, CHROME_PATH: CHROMIUM },
      timeout: RUN_MS,
    });
  await run().catch((error: unknown) => {
    // A truncated trace: one retry keeps the other rounds.
    if (!String(error).includes('Please run Lighthouse again')) throw error;
    return run();
  });
  const { categories: scores, audits } = JSON.parse(await readFile(file, 'utf8')) as Report;
  return Object.fromEntries([
    ...categories.map((name) => [name, rounded((scores[name]?.score ?? 0) * 100, 0)]),
    ...Object.entries(AUDITS).map(([name, audit]) => [name, audits[audit]?.numericValue ?? Number.NaN]),
  ]) as Figures;
}

const medianOf = (all: readonly Figures[]): Figures =>
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [
      name,
      rounded(median(all.flatMap((figures) => figures[name as keyof Figures] ?? [])), name === 'shift' ? 3 : 0),
    ]),
  ) as Figures;

async function measurePages(program: string, pages: Record<string, string>, folder: string, step: Step) {
  const measured = Object.entries(pages).slice(0, PAGES);
  const figures: Record<string, Figures[]> = Object.fromEntries(measured.map(([name]) => [name, []]));
  // Alternating, so that other load affects all alike.
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const [name, url] of measured) {
      step.doing(`round ${round} of ${ROUNDS}, page ${name}`);
      const isWhole = round === 1 && name !== 'bare';
      figures[name]?.push(await measure(program, url, folder, isWhole ? ['performance', ...OTHERS] : ['performance']));
    }
  return figures;
}

function resultOf(measured: Record<string, Figures[]>): BenchResult {
  const { bare = [], ...ours } = measured;
  const figures = Object.fromEntries(Object.entries(measured).map(([name, all]) => [name, medianOf(all)]));
  console.table(figures);
  const aims: BenchResult['aims'] = {};
  for (const [name, all] of Object.entries(ours)) {
    const others = Math.min(...OTHERS.map((name) => all[0]?.[name] ?? 0));
    const slower = all.map(({ largestPaint }, round) => largestPaint / (bare[round]?.largestPaint ?? Number.NaN));
    const performances = all.map(({ performance }) => performance);
    aims[`${name}_performance`] = atLeast(performances, AIMS.performance);
    aims[`${name}_others`] = atLeast(others, AIMS.others);
    aims[`${name}_largest_paint_to_bare`] = atMost(slower, AIMS.largestPaint, 2);
  }
  return { bench: 'web', aims, figures, rounds: measured };
}

/** Rejects error pages. @returns bytes */
async function openPages(pages: Record<string, string>): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  for (const [name, url] of Object.entries(pages)) {
    const response = await fetch(url);
    if (response.status !== 200) throw new Error(`The page ${name} was answered with status ${response.status}.`);
    bytes[name] = (await response.arrayBuffer()).byteLength;
  }
  return bytes;
}

/** Loads pages as phones do, compared with a bare page of the same text. */
export const web: SystemBenchmark = {
  async needs() {
    if (!isSmoke) await provideLighthouse();
    return {};
  },
  async run({ system, step, reporter }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'najwa-bench-web-'));
    let bare: Server | undefined;
    try {
      step.doing('filling a page');
      const page = await fillPage(system);
      const origin = system.url;
      bare = await startBarePage(`${origin}${page}`);
      const pages = {
        bare: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`,
        home: `${origin}/`,
        auth: `${origin}/auth`,
        public: `${origin}${page}`,
      };
      const bytes = await openPages(pages);
      const first = await measureFirstMessage({ bare: pages.bare, ours: pages.public }, step);
      console.table(first.figures);
      const program = await findLighthouse();
      if (program === undefined)
        reporter.say('Lighthouse is left out: npx has never fetched it here. The pages were only opened.');
      const result =
        program === undefined
          ? { bench: 'web', aims: {}, bytes }
          : resultOf(await measurePages(program, pages, folder, step));
      return { ...result, aims: { ...result.aims, ...first.aims }, firstMessage: first.figures };
    } finally {
      bare?.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
