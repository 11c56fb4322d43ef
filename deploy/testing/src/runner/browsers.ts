import { SetupError, Unavailable, valueOf } from '@najwa/dev/bootstrap/environment';
import { onPath } from '@najwa/dev/bootstrap/processes';
import type { Debian } from '@najwa/dev/infrastructure/prepare/debian';
import { type Reporter, asStep } from '@najwa/dev/reporter';

/** By the variables that say where they are. */
const BROWSERS = {
  CHROMIUM_BIN: {
    title: 'Chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    debianPackage: 'chromium',
  },
  FIREFOX_BIN: { title: 'Firefox', programs: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr' },
} as const;

type Variable = keyof typeof BROWSERS;

async function find(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    const found = await onPath(program);
    if (found !== undefined) return found;
  }
  return undefined;
}

function provide(variable: Variable, debian: Debian, reporter: Reporter): Promise<string> {
  const { title, programs, debianPackage } = BROWSERS[variable];
  return asStep(
    reporter,
    title,
    async (step) => {
      const present = valueOf(process.env, variable) ?? (await find(programs));
      if (present !== undefined) return present;
      step.doing(`installing ${debianPackage} from Debian`);
      await debian.install([debianPackage]).catch((error: unknown) => {
        if (error instanceof Unavailable)
          throw new SetupError(
            `The tests need ${title}, which is not here (${error.message}): install it, or set ${variable}.`,
          );
        throw error;
      });
      const installed = await find(programs);
      if (installed === undefined) throw new SetupError(`${title} was installed, but is not on PATH.`);
      return installed;
    },
    (file) => file,
  );
}

/**
 * Finds the browsers for tests: by their variables, on PATH, or from Debian's packages, which are installed if needed.
 * @returns the variables with the programs
 * @throws {SetupError} with instructions
 */
export async function provideBrowsers(debian: Debian, reporter: Reporter): Promise<Record<Variable, string>> {
  const [CHROMIUM_BIN, FIREFOX_BIN] = await Promise.all([
    provide('CHROMIUM_BIN', debian, reporter),
    provide('FIREFOX_BIN', debian, reporter),
  ]);
  return { CHROMIUM_BIN, FIREFOX_BIN };
}
