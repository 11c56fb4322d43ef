import { SetupError, Unavailable, valueOf } from '../bootstrap/environment.js';
import type { Debian } from '../infrastructure/prepare/debian.js';
import { onPath } from '../bootstrap/processes.js';
import type { Reporter } from '../reporter.js';
import { asStep } from '../reporter.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

async function find(): Promise<string | undefined> {
  for (const name of NAMES) {
    const found = await onPath(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Finds the browser for tests: CHROMIUM_BIN, PATH, or Debian's package, which is installed if needed.
 * @throws {SetupError} with instructions
 */
export function provideChromium(debian: Debian, reporter: Reporter): Promise<string> {
  return asStep(
    reporter,
    'Chromium',
    async (step) => {
      const present = valueOf(process.env, 'CHROMIUM_BIN') ?? (await find());
      if (present !== undefined) return present;
      step.doing('installing chromium from Debian');
      await debian.install(['chromium']).catch((error: unknown) => {
        if (error instanceof Unavailable)
          throw new SetupError(
            `There is no browser for the tests (${error.message}): install Chromium, or set CHROMIUM_BIN.`,
          );
        throw error;
      });
      const installed = await find();
      if (installed === undefined) throw new SetupError('Chromium was installed, but is not on PATH.');
      return installed;
    },
    (file) => file,
  );
}
