// npm run budgets: prints what the code weighs, and ends with 1 if something is above its budget in budgets.json, or if a suite
// of the everyday run takes too long. Budgets only fall: one that was raised needs a new "why" beside it.
// With --record, each budget becomes what is measured now, if that is less or there was none. With --record --why REASON, also if
// it is more.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { PROJECT_FILES } from '../testing/src/jest-projects.js';

const BUDGETS = 'deploy/check/budgets.json';
/** Of processor time. */
const LONGEST_EVERYDAY_SUITE = 15;

const isTest = (/** @type {string} */ file) => /\.test\.|\/tests\/|^web\/(e2e|src\/test)\//.test(file);
const packageOf = (/** @type {string} */ file) =>
  file
    .split('/')
    .slice(0, /^(services|deploy)\//.test(file) ? 2 : 1)
    .join('/');

const git = async (/** @type {string[]} */ ...args) =>
  (await promisify(execFile)('git', args, { maxBuffer: 2 ** 26 })).stdout.split('\n').filter(Boolean);
const readJson = async (/** @type {string} */ file) => JSON.parse(await readFile(inCheckout(file), 'utf8'));

/** Words of the comments in a text. */
function commentWords(text) {
  const comments = text.matchAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm);
  return Array.from(comments, ([comment]) => comment.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0).reduce(
    (sum, words) => sum + words,
    0,
  );
}

/** Lines by package, and words of comments for each 1,000 lines of services. Generated code is not committed. */
async function weighSources() {
  const files = await git(
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'proto',
    'services',
    'web',
    'deploy',
  );
  const sources = files.filter((file) => /\.(tsx?|js)$/.test(file) && !isTest(file) && !/\/(stubs|gen)\//.test(file));
  const lines = {};
  const services = { lines: 0, words: 0 };
  for (const file of sources) {
    const text = await readFile(inCheckout(file), 'utf8').catch(() => '');
    const count = text.split('\n').length - 1;
    lines[packageOf(file)] = (lines[packageOf(file)] ?? 0) + count;
    if (!file.startsWith('services/')) continue;
    services.lines += count;
    services.words += commentWords(text);
  }
  return { lines, commentWords: Math.ceil((1000 * services.words) / services.lines) };
}

/** Processor time of the everyday suites as it was recorded, by project, and those that take too long. */
async function weighSuites() {
  const seconds = {};
  const tooLong = [];
  let unknown = 0;
  for (const [file, { processor }] of Object.entries(await readJson('deploy/testing/jest/times.json'))) {
    const text = await readFile(inCheckout(file), 'utf8').catch(() => '// Long run: gone.');
    if (text.startsWith('// Long run: ')) continue;
    const [project] = Object.entries(PROJECT_FILES).find(([, pattern]) => new RegExp(`^${pattern}$`).test(file)) ?? [];
    if (processor === undefined || project === undefined) unknown += 1;
    else seconds[project] = (seconds[project] ?? 0) + processor;
    if (processor > LONGEST_EVERYDAY_SUITE) tooLong.push(`${file} takes ${processor} s of processor time.`);
  }
  return { seconds, tooLong, unknown };
}

/** The budgets of the commit before the last change of the file, or of the last one if the file has changed since. */
async function budgetsBefore(current) {
  const versions = [];
  for (const commit of await git('log', '-2', '--format=%H', '--', BUDGETS).catch(() => []))
    versions.push((await git('show', `${commit}:${BUDGETS}`).catch(() => ['{}'])).join('\n'));
  return JSON.parse(
    versions.find((version) => JSON.stringify(JSON.parse(version)) !== JSON.stringify(current)) ?? '{}',
  );
}

const budgets = await readJson(BUDGETS);
const sources = await weighSources();
const suites = await weighSuites();
const entered = await readJson('.artifacts/entered-files.json').catch(() => undefined);
const measured = {
  ...Object.fromEntries(Object.entries(sources.lines).map(([name, count]) => [`lines of ${name}`, count])),
  'words of comments in 1,000 lines of services': sources.commentWords,
  ...Object.fromEntries(
    Object.entries(suites.seconds).map(([name, sum]) => [`seconds of ${name} suites, everyday`, Math.ceil(sum)]),
  ),
  // Measured by its own test, deploy/testing/tests/component/entered-files.test.ts.
  ...(entered && { 'files entered by an accepted text': entered.length }),
};

if (process.argv.includes('--record')) {
  const [, why] = process.argv.join('\0').split('--why\0');
  for (const [name, value] of Object.entries(measured)) {
    const { most = Infinity } = budgets[name] ?? {};
    if (value < most) budgets[name] = { ...budgets[name], most: value };
    if (value > most && why !== undefined) budgets[name] = { most: value, why };
  }
  const lines = Object.entries(budgets)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { most, why }]) => {
      const reason = why === undefined ? '' : `, "why": ${JSON.stringify(why)}`;
      return `  ${JSON.stringify(name)}: { "most": ${most}${reason} }`;
    });
  await writeFile(inCheckout(BUDGETS), `{\n${lines.join(',\n')}\n}\n`);
}

const faults = [...suites.tooLong];
for (const [name, { most }] of Object.entries(budgets)) {
  const value = measured[name];
  console.log(`${String(value ?? '?').padStart(6)} of ${String(most).padStart(6)}  ${name}`);
  if (value > most) faults.push(`There are ${value} ${name}, and the budget is ${most}.`);
}
for (const name of Object.keys(measured))
  if (budgets[name] === undefined) faults.push(`There is no budget for ${name}.`);
for (const [name, before] of Object.entries(await budgetsBefore(budgets)))
  if (budgets[name]?.most > before.most && [undefined, before.why].includes(budgets[name].why))
    faults.push(`The budget "${name}" was raised from ${before.most}: say why beside it.`);
if (suites.unknown > 0) console.log(`${suites.unknown} everyday suites have no recorded processor time.`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
