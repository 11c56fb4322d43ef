import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkoutRoot, SetupError } from '@najwa/dev/bootstrap/environment';
import { projectOf, PROJECTS, sourcesUnder, type Project } from './suites.js';

export interface ReachedSuite {
  project: Project;
  /** Relative to the checkout. */
  file: string;
  /** Imports to the nearest changed file. Above a thousand if connected by `REACH` only. */
  distance: number;
}

/** Without a connection by imports. */
const BY_TABLE = { samePackage: 1_001, otherPackage: 1_002 };

interface Source {
  imports: readonly string[];
  text: string;
}
interface Candidate {
  project: Project;
  file: string;
  /** With imported test files. */
  text: string;
}

const FILES_OF_TESTS = /\.test\.tsx?$|^web\/(e2e|src\/test)\/|\/tests\/(?!samples\/)/;

const RUNS_ALL_SERVICES: readonly Project[] = ['journeys', 'browser'];

/** `sharedBed` starts all services but the gateway. */
const usesService = (text: string, service: string): boolean =>
  text.includes(`'${service}'`) || text.includes(service === 'gateway' ? 'startGateway(' : 'sharedBed(');

export const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Beyond imports. The first match counts. */
const REACH: readonly (readonly [pattern: RegExp, isReached: (suite: Candidate, part: string) => boolean])[] = [
  // Imports of tests are complete.
  [FILES_OF_TESTS, () => false],
  [
    /^docs\/|^deploy\/(check|k6)\/|\.md$|^LICENSE|^\.(ci|github|git[a-z-]*|oxfmt[a-z.]*|oxlintrc\.json)(\/|$)/,
    () => false,
  ],
  [/^proto\/|^services\/(?:common|product)\/|^deploy\/(?:dev|testing)\/|^[^/]+$/, () => true],
  [
    /^services\/([^/]+)\//,
    ({ project, file, text }, service) =>
      RUNS_ALL_SERVICES.includes(project) ||
      (project === 'component' && (file.startsWith(`services/${service}/`) || usesService(text, service))),
  ],
  // The gateway renders pages with the built client.
  [/^web\//, ({ project, file }) => project === 'browser' || file.startsWith('services/gateway/')],
  [/^deploy\/(bench|fuzz|cluster|rollout)\//, () => false],
  // Tests of the tooling read manifests.
  [/^deploy\//, ({ project, file }) => project === 'unit' && file.startsWith('deploy/')],
];

/** The tooling starts services by name: its imports do not show which ones a suite needs. */
const isStartByName = (from: string, target: string): boolean =>
  /^deploy\/(dev|testing)\//.test(from) && /^services\/(?!common\/|product\/)/.test(target);

/** Static or dynamic import, re-export, or relative URL. */
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)(['"])([^'"\n]+)\1/g;

/** Sources by specifier such as `@najwa/proto/http`. `*` stands for file names. */
async function packageSources(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith('/package.json'))) {
    const { name, exports = {} } = JSON.parse(await readFile(path.join(root, file), 'utf8')) as {
      name: string;
      exports?: Record<string, string | { 'najwa-source'?: string }>;
    };
    for (const [entry, target] of Object.entries(exports)) {
      const source = typeof target === 'string' ? target : target['najwa-source'];
      if (source === undefined) continue;
      const address = path.posix.join(name, entry);
      const [start = '', end] = path.posix.join(path.dirname(file), source).split('*');
      if (end === undefined) sources.set(address, start);
      else
        for (const each of files.filter((candidate) => candidate.startsWith(start) && candidate.endsWith(end)))
          sources.set(address.replace('*', each.slice(start.length, -end.length)), each);
    }
  }
  return sources;
}

/** With their imports. */
async function readSources(root: string): Promise<Map<string, Source>> {
  const files = await sourcesUnder(root);
  const present = new Set(files);
  const packages = await packageSources(root, files);
  const resolve = (specifier: string, from: string): string | undefined => {
    if (!specifier.startsWith('.')) return packages.get(specifier);
    const target = path.posix.join(path.dirname(from), specifier);
    const bare = target.replace(/\.js$/, '');
    return [target, `${bare}.ts`, `${bare}.tsx`, `${target}/index.ts`].find((candidate) => present.has(candidate));
  };
  const read = files.map(async (file): Promise<[string, Source]> => {
    const text = file.endsWith('.json') ? '' : await readFile(path.join(root, file), 'utf8');
    const imports = [...text.matchAll(SPECIFIER)].map(([, , specifier = '']) => resolve(specifier, file));
    const known = imports.filter((target) => target !== undefined);
    return [file, { text, imports: known.filter((target) => !isStartByName(file, target)) }];
  });
  return new Map(await Promise.all(read));
}

/** With imported test files. */
function textOfTests(file: string, sources: ReadonlyMap<string, Source>): string {
  const files = new Set([file]);
  for (const each of files)
    for (const target of sources.get(each)?.imports ?? []) if (FILES_OF_TESTS.test(target)) files.add(target);
  return Array.from(files, (each) => sources.get(each)?.text ?? '').join('\n');
}

/** Number of imports to the nearest given file. Unconnected files are missing. */
function distancesTo(files: readonly string[], sources: ReadonlyMap<string, Source>): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of sources)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), file]);
  const distances = new Map(files.map((file) => [file, 0]));
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/**
 * By imports, and by `REACH` for the rest. An unknown file reaches everything.
 * @param files relative to the checkout; may be deleted
 * @returns suites by cost and distance, and how many were omitted
 */
export async function suitesReachedBy(
  files: readonly string[],
  root = checkoutRoot,
): Promise<{ suites: ReachedSuite[]; left: string[] }> {
  const sources = await readSources(root);
  const distances = distancesTo(files, sources);
  const rows = files.map((file) => {
    for (const [pattern, isReached] of REACH) {
      const match = pattern.exec(file);
      if (match) return (suite: Candidate) => isReached(suite, match[1] ?? '');
    }
    return () => true;
  });
  const packages = new Set(files.map(packageOf));
  const suites: ReachedSuite[] = [];
  const left: string[] = [];
  for (const project of PROJECTS) {
    const all = [...sources].filter(([file]) => projectOf(file) === project);
    const reached = all.flatMap(([file]) => {
      const suite = { project, file, text: textOfTests(file, sources) };
      const isConnected = distances.has(file) || rows.some((isReached) => isReached(suite));
      const byTable = packages.has(packageOf(file)) ? BY_TABLE.samePackage : BY_TABLE.otherPackage;
      return isConnected ? [{ project, file, distance: distances.get(file) ?? byTable }] : [];
    });
    suites.push(...reached.sort((a, b) => a.distance - b.distance));
    if (reached.length < all.length) left.push(`${all.length - reached.length} of ${all.length} ${project} suites`);
  }
  return { suites, left };
}

/**
 * Since the branch point, uncommitted files included.
 * @throws {SetupError} for an unknown reference
 */
export async function changedSince(reference: string): Promise<string[]> {
  const git = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: checkoutRoot });
    return stdout.split('\n').filter(Boolean);
  };
  const [base] = await git('merge-base', reference, 'HEAD').catch(() => {
    throw new SetupError(`git knows no common commit with ${reference}: name one, as in npm test -- --changed HEAD~3.`);
  });
  const [tracked, untracked] = await Promise.all([
    git('diff', '--name-only', '--no-renames', base ?? reference),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  return [...new Set([...tracked, ...untracked])];
}
