// Part of npm test: imports form no circle, keep to the order of packages, within a service go from routes to rules to
// stores, and within the client down its storeys.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { listFiles } from '../dev/src/bootstrap/processes.js';

const SERVICE = /^services\/(?!common\/|product\/)([^/]+)\/src\/(.*)$/;

/** Packages and what each may import besides itself. The first match counts. */
const PACKAGES = [
  { files: /^proto\/src\//, may: [] },
  { files: /^services\/common\/src\//, may: [/^proto\//] },
  { files: /^services\/product\/src\//, may: [/^proto\//, /^services\/common\//] },
  { files: SERVICE, may: [/^proto\//, /^services\/(common|product)\//] },
  { files: /^web\/src\//, may: [/^proto\//] },
  { files: /^deploy\/dev\/src\//, may: [/^proto\//, /^services\//] },
  { files: /^deploy\/testing\/src\//, may: [/^proto\//, /^services\//, /^deploy\/dev\//] },
  { files: /^deploy\/(fuzz|cluster|rollout)\/src\//, may: [/^proto\//, /^services\//, /^deploy\/(dev|testing)\//] },
  { files: /^deploy\/bench\/src\//, may: [/^proto\//, /^services\//, /^deploy\/(dev|testing|fuzz)\//] },
];

/** Outermost first. A file in none of them is a rule. */
const LAYERS = ['routes', 'rules', 'store'];
const ROUTES = /^(policies|shell)\/|^public\/serve\.ts$|^events(\/|\.ts$)|(^|\/)(routes|rpc)(\/|\.ts$)/;
const STORE = /^(db|store|clients)\/|(\/|-)(store|record)\.ts$/;

/** Composition roots: other files import only their types. */
const COMPOSITION = /^(main|service|index|context|config)\.ts$/;

/** Storeys of the client, the lowest first. Folders of one storey do not import each other. */
const STOREYS = [['i18n', 'theme'], ['lib'], ['api'], ['ui'], ['shared'], ['visitor', 'owner'], ['shell']];
const STOREY_FILE = /^web\/src\/(\w+)\//;
/** A topic of the client. */
const TOPIC = /^web\/src\/(?:shared|visitor|owner)\/([\w-]+)\//;

const isTest = (file) => /\.test\.tsx?$|\/tests\/|^web\/src\/test\//.test(file);

/** Exported sources by specifier, longest first. `*` stands for a file name. */
async function readExports(files) {
  const entries = [];
  for (const file of files.filter((name) => name.endsWith('/package.json'))) {
    const { name, exports = {} } = JSON.parse(await readFile(inCheckout(file), 'utf8'));
    for (const [entry, target] of Object.entries(exports))
      if (target['najwa-source'])
        entries.push([path.posix.join(name, entry), path.posix.join(path.dirname(file), target['najwa-source'])]);
  }
  return entries.sort(([a], [b]) => b.length - a.length);
}

const files = await listFiles('*.ts', '*.tsx', '*.js', '*package.json');
const present = new Set(files);
const exported = await readExports(files);

function resolveSource(specifier, from) {
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(from), specifier).replace(/(^|\/)dist\//, '$1src/');
    const bare = target.replace(/\.js$/, '');
    return [target, `${bare}.ts`, `${bare}.tsx`].find((candidate) => present.has(candidate));
  }
  for (const [name, source] of exported) {
    const [start, end] = name.split('*');
    if (end === undefined ? specifier === name : specifier.startsWith(start) && specifier.endsWith(end))
      return end === undefined ? source : source.replace('*', specifier.slice(start.length));
  }
  return undefined;
}

const isOfTypes = ({ importClause, isTypeOnly }) =>
  isTypeOnly === true ||
  importClause?.isTypeOnly === true ||
  (importClause?.name === undefined &&
    importClause?.namedBindings?.elements?.length > 0 &&
    importClause.namedBindings.elements.every((element) => element.isTypeOnly));

/** In the client also each `import()`, which forms no circle. */
async function importsOf(file) {
  const text = await readFile(inCheckout(file), 'utf8');
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const late = file.startsWith('web/src/') ? [...text.matchAll(/import\('(\.[^']+)'\)/g)] : [];
  return [
    ...statements.map((statement) => ({ to: statement.moduleSpecifier?.text, isOfTypes: isOfTypes(statement) })),
    ...late.map(([, to]) => ({ to, isLate: true })),
  ].flatMap(({ to, ...rest }) => {
    const target = to === undefined ? undefined : resolveSource(to, file);
    return target === undefined || target === file ? [] : [{ target, ...rest }];
  });
}

const sources = files.filter((file) => /\.(tsx?|js)$/.test(file));
const imports = new Map(await Promise.all(sources.map(async (file) => [file, await importsOf(file)])));

/** Breadth first: the shortest circle through a file. */
function circleThrough(file) {
  const before = new Map([[file, undefined]]);
  for (const [each] of before)
    for (const { target, isLate } of imports.get(each) ?? []) {
      if (isLate) continue;
      if (target === file) {
        const way = [file];
        for (let step = each; step !== undefined; step = before.get(step)) way.unshift(step);
        return way;
      }
      if (!before.has(target)) before.set(target, each);
    }
  return undefined;
}

const layerOf = (name) => (STORE.test(name) ? 'store' : ROUTES.test(name) ? 'routes' : 'rules');

function faultInClient(file, target) {
  const [from, to] = [file, target].map((each) =>
    STOREYS.findIndex((storey) => storey.includes(STOREY_FILE.exec(each)?.[1])),
  );
  const isSame = STOREY_FILE.exec(file)?.[1] === STOREY_FILE.exec(target)?.[1];
  if (from >= 0 && !isSame && (to < 0 || to >= from)) return 'is no storey below';
  const topic = TOPIC.exec(target)?.[0];
  if (topic === undefined || file.startsWith(topic) || /\/index\.tsx?$/.test(target)) return undefined;
  return 'is inside another topic, which is entered through its index';
}

function faultOf(file, { target, isOfTypes: isOnlyTypes }) {
  const row = PACKAGES.find(({ files: pattern }) => pattern.test(file));
  if (row === undefined) return undefined;
  if (file.startsWith('web/src/') && target.startsWith('web/src/')) return faultInClient(file, target);
  const [, service, name] = SERVICE.exec(file) ?? [];
  const own = service === undefined ? row.files : new RegExp(`^services/${service}/`);
  if (!own.test(target)) return row.may.some((pattern) => pattern.test(target)) ? undefined : 'is of another package';
  const inService = SERVICE.exec(target)?.[2];
  if (inService === undefined || COMPOSITION.test(name)) return undefined;
  if (COMPOSITION.test(inService)) return isOnlyTypes ? undefined : 'puts the service together';
  const [from, to] = [layerOf(name), layerOf(inService)];
  return LAYERS.indexOf(to) < LAYERS.indexOf(from) ? `is one of the ${to}, which are above the ${from}` : undefined;
}

const faults = [];
let counted = 0;
for (const [file, targets] of imports) {
  if (isTest(file)) continue;
  for (const each of targets) {
    counted += 1;
    const fault = faultOf(file, each);
    if (fault) faults.push(`${file} → ${each.target}, which ${fault}`);
  }
}
const inCircles = new Set();
for (const file of sources) {
  const way = inCircles.has(file) ? undefined : circleThrough(file);
  if (way === undefined) continue;
  for (const each of way) inCircles.add(each);
  faults.push(`a circle: ${way.join(' → ')}`);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${counted} imports of ${sources.length} files keep to their layers.`);
