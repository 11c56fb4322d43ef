import { SetupError } from '../../dev/src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';
import { isSmoke } from '../../dev/src/bootstrap/smoke.js';

/** @type {(name: string, fallback: number) => number} */
function numberIn(name, fallback) {
  const number = Number(process.env[name] || fallback);
  if (!(number > 0)) throw new SetupError(`${name} must be a number above 0.`);
  return number;
}

await runCommand(
  async ({ reporter, signal }) => {
    const unknown = process.argv.slice(2).find((argument) => argument !== '--smoke');
    if (unknown !== undefined) throw new SetupError(`Unknown argument "${unknown}". Usage: npm run fuzz -- [--smoke]`);
    const minutes = numberIn('FUZZ_MINUTES', 10);
    const seed = numberIn('FUZZ_SEED', 1 + Math.floor(Math.random() * 2 ** 31));
    reporter.say(
      `Fuzzing${isSmoke ? '' : ` for ${minutes} minutes`}, seed ${seed}. To repeat it: FUZZ_SEED=${seed} npm run fuzz`,
    );
    await installPackages(reporter, signal);
    await compileServices(reporter);
    await buildWeb(reporter, signal);
    const { fuzz, installedSchemathesis, provideSchemathesis } = await import('../dist/index.js');
    const python = isSmoke ? await installedSchemathesis() : await provideSchemathesis(reporter, signal);
    return fuzz({ reporter, signal, minutes: isSmoke ? 0 : minutes, seed, python });
  },
  { statusWhenStopped: 130 },
);
