import { SetupError, Unavailable, valueOf } from '@najwa/dev/bootstrap/environment';
import { onPath } from '@najwa/dev/bootstrap/processes';
import type { Debian } from '@najwa/dev/infrastructure/prepare/debian';
import { type Reporter, asStep } from '@najwa/dev/reporter';

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** By variable. `instead` names slower programs. */
const BROWSERS = {
  CHROMIUM_BIN: { title: 'Chromium', programs: CHROMIUMS, debianPackage: 'chromium', instead: [] },
  CHROMIUM_SHELL_BIN: {
    title: 'Chromium without windows',
    programs: ['chromium-headless-shell', 'chrome-headless-shell'],
    debianPackage: 'chromium-headless-shell',
    instead: CHROMIUMS,
  },
  FIREFOX_BIN: { title: 'Firefox', programs: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr', instead: [] },
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
  const { title, programs, debianPackage, instead } = BROWSERS[variable];
  return asStep(
    reporter,
    title,
    async (step) => {
      const present = valueOf(process.env, variable) ?? (await find(programs));
      if (present !== undefined) return present;
      step.doing(`installing ${debianPackage} from Debian`);
      await debian.install([debianPackage]).catch(async (error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
        if ((await find(instead)) === undefined)
          throw new SetupError(
            `The tests need ${title}, which is not here (${error.message}): install it, or set ${variable}.`,
          );
      });
      const installed = await find([...programs, ...instead]);
      if (installed === undefined) throw new SetupError(`${title} was installed, but is not on PATH.`);
      return installed;
    },
    (file) => file,
  );
}

/**
 * From variables, PATH, or Debian's packages.
 * @returns the variables
 * @throws {SetupError} with instructions
 */
export async function provideBrowsers(debian: Debian, reporter: Reporter): Promise<Record<Variable, string>> {
  const [CHROMIUM_BIN, CHROMIUM_SHELL_BIN, FIREFOX_BIN] = await Promise.all([
    provide('CHROMIUM_BIN', debian, reporter),
    provide('CHROMIUM_SHELL_BIN', debian, reporter),
    provide('FIREFOX_BIN', debian, reporter),
  ]);
  return { CHROMIUM_BIN, CHROMIUM_SHELL_BIN, FIREFOX_BIN };
}
