import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkoutRoot, inCheckout } from '@najwa/dev/bootstrap/environment';
import { LONG_RUN, PROJECT_FILES } from '../jest-projects.js';

export type Project = keyof typeof PROJECT_FILES;

export const PROJECTS = Object.keys(PROJECT_FILES) as Project[];

export interface Suite {
  project: Project;
  /** Relative to the checkout. */
  file: string;
  /** By its first line, with a reason. */
  isLong: boolean;
}

const IGNORED_FOLDERS = new Set(['node_modules', 'dist']);

/** Relative to the checkout. */
export async function sourcesUnder(root: string, folder = ''): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name.startsWith('.') || IGNORED_FOLDERS.has(entry.name) ? [] : sourcesUnder(root, name);
      return /\.(tsx?|js|json)$/.test(name) ? [name] : [];
    }),
  );
  return nested.flat();
}

const PATTERNS = PROJECTS.map((project) => [project, new RegExp(`^${PROJECT_FILES[project]}$`)] as const);

export const projectOf = (file: string): Project | undefined => PATTERNS.find(([, pattern]) => pattern.test(file))?.[0];

/** Reads their first lines only. */
export async function listSuites(root = checkoutRoot): Promise<Suite[]> {
  const suites = (await sourcesUnder(root)).map(async (file): Promise<Suite[]> => {
    const project = projectOf(file);
    if (project === undefined) return [];
    return [{ project, file, isLong: LONG_RUN.test(await readFile(path.join(root, file), 'utf8')) }];
  });
  return (await Promise.all(suites)).flat();
}

/** Last recorded. */
export interface SuiteTime {
  seconds: number;
  /** Missing until recorded on Linux. */
  processor?: number;
}
export type SuiteTimes = Readonly<Record<string, SuiteTime>>;

const TIMES = inCheckout('deploy/testing/jest/times.json');

export const readTimes = async (): Promise<SuiteTimes> => JSON.parse(await readFile(TIMES, 'utf8')) as SuiteTimes;

/** One per line. */
export const writeTimes = async (times: SuiteTimes): Promise<void> => {
  const sorted = Object.entries(times).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = sorted.map(([file, { seconds, processor }]) => {
    const ofProcessor = processor === undefined ? '' : `, "processor": ${processor}`;
    return `  ${JSON.stringify(file)}: { "seconds": ${seconds}${ofProcessor} }`;
  });
  await writeFile(TIMES, `{\n${lines.join(',\n')}\n}\n`);
};
