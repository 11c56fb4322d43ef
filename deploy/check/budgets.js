// npm run budgets: prints the size of the code. Exits with 1 if a budget of budgets.json is exceeded or an everyday suite is slow.
// --record lowers each budget to its current value; --record --why REASON also raises it. A raised budget needs a new "why".
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { listFiles } from '../dev/src/bootstrap/processes.js';
import { PROJECT_FILES } from '../testing/src/jest-projects.js';

const BUDGETS = 'deploy/check/budgets.json';
/** Budgets of what differs between machines and runs get a quarter more. */
const VARYING = /^(seconds|files) /;
/** Seconds of processor time. */
const LONGEST_EVERYDAY_SUITE = 15;

/** Words that have a field term in their place. Counted in comments, names and titles of tests, in camelCase too. */
const VAGUE = /(?<![a-z])(?:nobody|somebody|whoever|whatever|anew|told|tells|beside)(?![a-z])/gi;
const COMMENT_OR_STRING =
  /\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`)(,\s*(?:async )?(?:\([^)]*\)|\w+) =>)?/gm;

const isTest = (/** @type {string} */ file) => /\.test\.|\/tests\/|^web\/(e2e|src\/test)\//.test(file);
const packageOf = (/** @type {string} */ file) =>
  file
    .split('/')
    .slice(0, /^(services|deploy)\//.test(file) ? 2 : 1)
    .join('/');

const git = async (/** @type {string[]} */ ...args) =>
  (await promisify(execFile)('git', args, { maxBuffer: 2 ** 26 })).stdout.split('\n').filter(Boolean);
const readJson = async (/** @type {string} */ file) => JSON.parse(await readFile(inCheckout(file), 'utf8'));

function vagueWords(text) {
  // A string before a function is a title. No other string counts.
  const written = text.replace(COMMENT_OR_STRING, (part, string, title) => (string && !title ? '' : part));
  return written.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(VAGUE)?.length ?? 0;
}

function commentWords(text) {
  const comments = text.matchAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm);
  return Array.from(comments, ([comment]) => comment.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0).reduce(
    (sum, words) => sum + words,
    0,
  );
}

/** Lines by package, vague words, and words of comments for each 1,000 lines of services. */
async function weighSources() {
  const files = await listFiles('proto', 'services', 'web', 'deploy');
  const sources = files.filter((file) => /\.(tsx?|js|proto)$/.test(file) && !/\/stubs\//.test(file));
  const lines = {};
  const services = { lines: 0, words: 0 };
  let vague = 0;
  for (const file of sources) {
    const text = await readFile(inCheckout(file), 'utf8').catch(() => '');
    vague += vagueWords(text);
    if (isTest(file) || file.endsWith('.proto')) continue;
    const count = text.split('\n').length - 1;
    lines[packageOf(file)] = (lines[packageOf(file)] ?? 0) + count;
    if (!file.startsWith('services/')) continue;
    services.lines += count;
    services.words += commentWords(text);
  }
  return { lines, vague, commentWords: Math.ceil((1000 * services.words) / services.lines) };
}

/** Recorded processor time of the everyday suites by project, and slow ones. */
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

/** The last committed budgets that differ from the current ones. */
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
  'vague words': sources.vague,
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
    const bound = VARYING.test(name) ? Math.ceil(1.25 * value) : value;
    if (bound < most) budgets[name] = { ...budgets[name], most: bound };
    if (value > most && why !== undefined) budgets[name] = { most: bound, why };
  }
  const sorted = Object.fromEntries(Object.entries(budgets).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(inCheckout(BUDGETS), `${JSON.stringify(sorted, null, 2)}\n`);
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
    faults.push(`The budget "${name}" was raised from ${before.most}: say why in the file.`);
if (suites.unknown > 0) console.log(`${suites.unknown} everyday suites have no recorded processor time.`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
