import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { inCheckout, localAdminSecret, SetupError, Unavailable, valueOf } from '../../dev/src/bootstrap/environment.js';
import { K6, provideGoTool } from '../../dev/src/bootstrap/go-programs.js';
import { runCommand } from '../../dev/src/bootstrap/prepare.js';

const SCENARIOS = ['visit', 'journey', 'voice', 'chat', 'admin'];
const USAGE = `Usage: npm run load -- SCENARIO… [--address http://localhost:8080] [--smoke] [--scale N]
       [--plateau SECONDS] [--no-times]
Scenarios: ${SCENARIOS.join(', ')}, or "all". What follows a second -- is passed on to k6.`;
/** The status with which k6 reports that a threshold was crossed. */
const THRESHOLDS_CROSSED = 99;

/** @type {(args: string[]) => { scenarios: string[], values: Record<string, string | boolean | undefined>, forK6: string[] }} */
function readArguments(args) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(0, end),
      allowPositionals: true,
      options: {
        address: { type: 'string', default: 'http://localhost:8080' },
        smoke: { type: 'boolean', default: false },
        scale: { type: 'string', default: '1' },
        plateau: { type: 'string', default: '30' },
        'no-times': { type: 'boolean', default: false },
      },
    });
    const scenarios = positionals.includes('all') ? SCENARIOS : [...new Set(positionals)];
    const unknown = scenarios.find((name) => !SCENARIOS.includes(name));
    if (scenarios.length === 0 || unknown !== undefined)
      throw new Error(unknown === undefined ? 'Name a scenario.' : `Unknown scenario "${unknown}".`);
    if (!URL.canParse(String(values.address)))
      throw new Error('--address must be a URL such as http://localhost:8080.');
    for (const name of /** @type {const} */ (['scale', 'plateau']))
      if (!(Number(values[name]) > 0)) throw new Error(`--${name} must be a number above 0.`);
    return { scenarios, values, forK6: args.slice(end + 1) };
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** @type {(reporter: import('../../dev/src/reporter.js').Reporter, signal: AbortSignal) => Promise<string>} */
async function provideK6(reporter, signal) {
  const step = reporter.step('k6');
  try {
    const program = await provideGoTool(K6, signal);
    step.done(program);
    return program;
  } catch (error) {
    step.fail();
    if (!(error instanceof Unavailable)) throw error;
    throw new SetupError(`k6 is missing: ${error.message}. Install k6 1.0 or newer, or Go.`);
  }
}

/** No connection at all. Answers are for k6 to judge. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

/** @type {(address: string) => Promise<void>} */
async function refuseDeadAddress(address) {
  const code = await fetch(address).then(
    ({ body }) => void body?.cancel(),
    (error) => error.cause?.code,
  );
  if (UNREACHABLE.includes(code))
    throw new SetupError(
      `Nothing answers at ${address} (${code}). npm start starts a system; --address names another.`,
    );
}

/**
 * The figures of a run, as benchmarks print theirs.
 * @type {(summary: string, scenarios: string[]) => object}
 */
function figuresOf(summary, scenarios) {
  const { metrics } = JSON.parse(summary);
  const lower = (/** @type {number} */ value = 0) => ({ value, aim: 0, better: 'lower' });
  return {
    bench: 'load',
    aims: {
      failed_checks: lower(metrics.checks?.fails),
      failed_requests: lower(metrics.http_req_failed?.passes),
      messages_lost: lower(metrics.messages_lost?.count),
      messages_doubled: lower(metrics.messages_doubled?.count),
    },
    scenarios,
    iterations: metrics.iterations?.count ?? 0,
    requests: metrics.http_reqs?.count ?? 0,
    messages: metrics.messages_sent?.count ?? 0,
    request_p95_ms: metrics.http_req_duration?.['p(95)'] ?? 0,
  };
}

await runCommand(
  async ({ reporter, signal }) => {
    const { scenarios, values, forK6 } = readArguments(process.argv.slice(2));
    const address = String(values.address);
    await refuseDeadAddress(address);
    const k6 = await provideK6(reporter, signal);
    const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(address).host);
    const secret = isLocal ? await localAdminSecret() : valueOf(process.env, 'ADMIN_SECRET');
    const step = reporter.step('Load');
    step.doing(`${scenarios.join(', ')} on ${address}${values.smoke ? ', smoke' : ''}`);
    const folder = await mkdtemp(path.join(tmpdir(), 'najwa-load-'));
    const summary = path.join(folder, 'summary.json');
    try {
      const child = spawn(
        k6,
        ['run', '--quiet', '--summary-export', summary, ...forK6, inCheckout('deploy/k6/main.ts')],
        {
          stdio: 'inherit',
          // A group of its own: a terminal would send SIGINT twice, and k6 takes the second one as an order to abort.
          detached: true,
          env: {
            ...process.env,
            K6_NO_USAGE_REPORT: 'true',
            NAJWA_SCENARIOS: scenarios.join(','),
            NAJWA_ADDRESS: address,
            NAJWA_SMOKE: values.smoke ? '1' : '0',
            NAJWA_SCALE: String(values.scale),
            NAJWA_PLATEAU: String(values.plateau),
            NAJWA_TIMES: values['no-times'] ? '0' : '1',
            ...(secret && { ADMIN_SECRET: secret }),
          },
        },
      );
      // k6 ends the scenarios and prints its summary.
      signal.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
      const [status] = await once(child, 'close');
      signal.throwIfAborted();
      if (status === 0) step.done('passed');
      else if (status === THRESHOLDS_CROSSED)
        step.fail('failed: a threshold was crossed. The summary marks it with a cross');
      else step.fail(`failed: k6 ended with status ${status}`);
      // None if k6 did not begin, or writes it where an argument of the user says.
      const text = await readFile(summary, 'utf8').catch(() => undefined);
      if (text !== undefined) process.stdout.write(`${JSON.stringify(figuresOf(text, scenarios))}\n`);
      return status === 0 ? 0 : 1;
    } catch (error) {
      step.fail(signal.aborted ? 'stopped' : 'failed');
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  { statusWhenStopped: 130, needsInfrastructure: false },
);
