import { SetupError } from '@najwa/dev/bootstrap/environment';
import { isSmoke } from '@najwa/dev/bootstrap/smoke';
import type { Reporter } from '@najwa/dev/reporter';
import { accept } from './accept/index.js';
import { admin } from './admin.js';
import { anonymity } from './anonymity.js';
import { attack } from './attack.js';
import { runAlone, type Benchmark } from './benchmark.js';
import { chaos } from './chaos/index.js';
import { inbox } from './inbox.js';
import { login } from './login.js';
import { loop } from './loop/index.js';
import { push } from './push.js';
import { scroll } from './scroll.js';
import { runSmokes } from './smokes.js';
import { soak } from './soak.js';
import { streams } from './streams.js';
import { visit } from './visit/index.js';
import { voice } from './voice.js';
import { web } from './web.js';

/** For `npm run bench:NAME`. */
const benchmarks: Readonly<Record<string, Benchmark>> = {
  login,
  inbox,
  accept,
  loop,
  admin,
  streams,
  push,
  voice,
  web,
  scroll,
  soak,
  attack,
  anonymity,
  visit,
  chaos,
};

/** `all` runs all smokes. @returns the exit status */
export async function runBenchmarks(
  names: readonly string[],
  { reporter, signal }: { reporter: Reporter; signal: AbortSignal },
): Promise<number> {
  const [name = ''] = names;
  if (isSmoke && name === 'all') return runSmokes(benchmarks, { reporter, signal });
  const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
  if (benchmark === undefined || names.length > 1)
    throw new SetupError(
      `Unknown benchmark "${names.join(' ')}". Choose one of ${Object.keys(benchmarks).join(', ')}, or "all --smoke".`,
    );
  const step = reporter.step(name);
  try {
    const result = await runAlone(benchmark, { reporter, step });
    step.done();
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  } catch (error) {
    step.fail();
    throw error;
  }
}
