import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createCache } from '../src/bootstrap/cache.js';
import { SetupError } from '../src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';
import { onPath, run } from '../src/bootstrap/processes.js';

const SCHEMATHESIS = 'schemathesis==4.32.5';

/** @type {(name: string, fallback: number) => number} */
function numberIn(name, fallback) {
  const number = Number(process.env[name] || fallback);
  if (!(number > 0)) throw new SetupError(`${name} must be a number above 0.`);
  return number;
}

/**
 * Installs Schemathesis once, into a virtual environment.
 * @type {(reporter: import('../src/reporter.js').Reporter, signal: AbortSignal) => Promise<string>}
 */
async function provideSchemathesis(reporter, signal) {
  const python = await onPath('python3');
  if (python === undefined)
    throw new SetupError('Schemathesis needs Python 3.10 or newer with venv: put python3 on PATH.');
  const cache = createCache(process.env);
  await mkdir(cache.folder, { recursive: true });
  const step = reporter.step('Schemathesis');
  step.doing('pip install');
  try {
    const folder = await cache.once(
      SCHEMATHESIS.replace('==', '-'),
      async (fresh) => {
        const options = { what: 'Installing Schemathesis', log: path.join(cache.folder, 'schemathesis.log'), signal };
        await run(python, ['-m', 'venv', fresh], options);
        const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS];
        await run(path.join(fresh, 'bin/python'), install, options);
      },
      signal,
    );
    step.done(SCHEMATHESIS);
    return path.join(folder, 'bin/python');
  } catch (error) {
    signal.throwIfAborted();
    step.fail();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(`Schemathesis cannot be installed: it needs Python 3.10 with venv, and PyPI. ${reason}`);
  }
}

await runCommand(
  async ({ reporter, signal }) => {
    const minutes = numberIn('FUZZ_MINUTES', 10);
    const seed = numberIn('FUZZ_SEED', 1 + Math.floor(Math.random() * 2 ** 31));
    reporter.say(`Fuzzing for ${minutes} minutes, seed ${seed}. To repeat it: FUZZ_SEED=${seed} npm run fuzz`);
    await installPackages(reporter, signal);
    await compileServices(reporter);
    await buildWeb(reporter, signal);
    const python = await provideSchemathesis(reporter, signal);
    const { fuzz } = await import('../dist/cli/fuzz/index.js');
    return fuzz({ reporter, signal, minutes, seed, python });
  },
  { statusWhenStopped: 130 },
);
