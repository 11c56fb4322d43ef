import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { inCheckout, SetupError, Unavailable, valueOf } from '../src/bootstrap/environment.js';
import { K6, provideGoTool } from '../src/bootstrap/go-programs.js';
import { runCommand } from '../src/bootstrap/prepare.js';

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

/** @type {(reporter: import('../src/reporter.js').Reporter, signal: AbortSignal) => Promise<string>} */
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

/** The secret of the local system, unless the environment has one. */
const adminSecret = async () =>
  valueOf(process.env, 'ADMIN_SECRET') ??
  (await readFile(inCheckout('.data/admin-secret'), 'utf8').catch(() => '')).trim();

await runCommand(
  async ({ reporter, signal }) => {
    const { scenarios, values, forK6 } = readArguments(process.argv.slice(2));
    const k6 = await provideK6(reporter, signal);
    const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(String(values.address)).host);
    const secret = isLocal ? await adminSecret() : valueOf(process.env, 'ADMIN_SECRET');
    reporter.say(`Load on ${values.address}: ${scenarios.join(', ')}${values.smoke ? ' (smoke)' : ''}`);
    const child = spawn(k6, ['run', '--quiet', ...forK6, inCheckout('deploy/k6/main.ts')], {
      stdio: 'inherit',
      // A group of its own: a terminal would send SIGINT twice, and k6 takes the second one as an order to abort.
      detached: true,
      env: {
        ...process.env,
        K6_NO_USAGE_REPORT: 'true',
        NAJWA_SCENARIOS: scenarios.join(','),
        NAJWA_ADDRESS: String(values.address),
        NAJWA_SMOKE: values.smoke ? '1' : '0',
        NAJWA_SCALE: String(values.scale),
        NAJWA_PLATEAU: String(values.plateau),
        NAJWA_TIMES: values['no-times'] ? '0' : '1',
        ...(secret && { ADMIN_SECRET: secret }),
      },
    });
    // k6 ends the scenarios and prints its summary.
    signal.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
    const [status] = await once(child, 'close');
    signal.throwIfAborted();
    if (status === THRESHOLDS_CROSSED)
      reporter.say('Failed: a threshold was crossed. The summary marks it with a cross.');
    else reporter.say(status === 0 ? 'Passed.' : `Failed: k6 ended with status ${status}.`);
    return status === 0 ? 0 : 1;
  },
  { statusWhenStopped: 130, needsInfrastructure: false },
);
