import { SetupError, Unavailable, valueOf } from '@najwa/dev/bootstrap/environment';
import { onPath } from '@najwa/dev/bootstrap/processes';
import type { Debian } from '@najwa/dev/infrastructure/prepare/debian';
import { type Reporter, asStep } from '@najwa/dev/reporter';

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** By variable. `instead` names slower programs. */
const PROGRAMS = {
  NGINX_BIN: { title: 'nginx', programs: ['nginx'], debianPackage: 'nginx-light', instead: [] },
  CHROMIUM_BIN: { title: 'Chromium', programs: CHROMIUMS, debianPackage: 'chromium', instead: [] },
  CHROMIUM_SHELL_BIN: {
    title: 'Chromium without windows',
    programs: ['chromium-headless-shell', 'chrome-headless-shell'],
    debianPackage: 'chromium-headless-shell',
    instead: CHROMIUMS,
  },
  FIREFOX_BIN: { title: 'Firefox', programs: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr', instead: [] },
} as const;

type Variable = keyof typeof PROGRAMS;
export const BROWSERS = ['CHROMIUM_BIN', 'CHROMIUM_SHELL_BIN', 'FIREFOX_BIN'] as const;

async function find(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    // Debian puts servers where only root's PATH looks.
    const found = await onPath(program, `${process.env['PATH'] ?? ''}:/usr/sbin`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function provide(variable: Variable, debian: Debian, reporter: Reporter): Promise<string> {
  const { title, programs, debianPackage, instead } = PROGRAMS[variable];
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
export async function provideTestPrograms(
  needed: readonly Variable[],
  debian: Debian,
  reporter: Reporter,
): Promise<Partial<Record<Variable, string>>> {
  const provided = needed.map(async (variable) => [variable, await provide(variable, debian, reporter)] as const);
  return Object.fromEntries(await Promise.all(provided));
}
