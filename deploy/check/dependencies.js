// Part of npm test: docs/dependencies.md lists all dependencies, licences are allowed, no install script runs, and the
// tag of each image is that of deploy/images/external.json.
import { readdir, readFile } from 'node:fs/promises';
import satisfies from 'spdx-satisfies';
import { parse, parseAllDocuments } from 'yaml';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { listFiles } from '../dev/src/bootstrap/processes.js';

const DOCUMENT = 'docs/dependencies.md';
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

/** Tags of external images, with end of support and next tag. */
const TAG_FILE = 'deploy/images/external.json';
const TEXTS = /(^|\/)(Dockerfile|\.env\.example|[^/]+\.(md|ya?ml|ts|js|json|sh))$/;

const faults = [];
const read = (...names) => readFile(inCheckout(...names), 'utf8');
const filesUnder = async (folder, wanted) =>
  (await readdir(inCheckout(folder), { recursive: true }))
    .filter((name) => !/(^|\/)(node_modules|dist)\//.test(name) && wanted.test(name))
    .map((name) => `${folder}/${name}`);

const TAGS = JSON.parse(await read(TAG_FILE));
const manifest = JSON.parse(await read('package.json'));
const lockfile = JSON.parse(await read('package-lock.json'));
const dockerfiles = ['services/Dockerfile', 'web/Dockerfile'];

async function findPackages() {
  const folders = ['.', ...manifest.workspaces];
  const manifests = await Promise.all(folders.map(async (folder) => JSON.parse(await read(folder, 'package.json'))));
  const own = new Set(manifests.map(({ name }) => name));
  const forced = Object.entries(manifest.overrides).filter(
    ([, version]) => typeof version === 'string' && !version.startsWith('file:'),
  );
  return [
    ...manifests.flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies })),
    ...forced.map(([name]) => name),
  ].filter((name) => !own.has(name));
}

async function findGoModules() {
  const files = await filesUnder('deploy/local', /\/go\.mod$/);
  return Promise.all(
    files.map(async (file) => {
      const text = await read(file);
      const tool = /^tool (\S+)$/m.exec(text)?.[1] ?? '';
      // The longest required path that begins the tool's package.
      const required = [...text.matchAll(/^\t(\S+) v/gm)].map(([, name]) => name);
      return required.filter((name) => `${tool}/`.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0];
    }),
  );
}

async function findImages() {
  const bases = await Promise.all(
    dockerfiles.map(async (file) => [...(await read(file)).matchAll(/^FROM (\S+:\S+)/gm)].map(([, name]) => name)),
  );
  const compose = parse(await read('docker-compose.yml'), { merge: true });
  const manifests = await Promise.all(
    (await filesUnder('deploy/k8s', /\.yaml$/)).map(async (file) => parseAllDocuments(await read(file))),
  );
  const inPods = manifests.flat().flatMap((document) => {
    const pod = document.toJS()?.spec?.template?.spec;
    return [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ image }) => image);
  });
  return [...bases.flat(), ...Object.values(compose.services).map(({ image }) => image), ...inPods]
    .filter((image) => image && !image.startsWith('najwa/'))
    .concat(await testcontainersReaper())
    .map((image) => image.replace(/:[^/]*$/, ''));
}

/** Testcontainers starts this image, which only its code names. */
async function testcontainersReaper() {
  const code = await read('node_modules/testcontainers/build/reaper/reaper.js');
  return /"(testcontainers\/ryuk:[^"]+)"/.exec(code)?.slice(1) ?? [];
}

async function checkTags(images) {
  for (const image of images) if (!(image in TAGS)) faults.push(`${TAG_FILE}: ${image} has no tag`);
  for (const [image, { tag }] of Object.entries(TAGS)) {
    if (!images.includes(image)) faults.push(`${TAG_FILE}: ${image} is not used any more`);
    if (tag === 'latest') faults.push(`${TAG_FILE}: ${image}: "latest" is no tag to build on`);
  }
  const reaper = await testcontainersReaper();
  if (!reaper.every((image) => image === `testcontainers/ryuk:${TAGS['testcontainers/ryuk']?.tag}`))
    faults.push(`${TAG_FILE}: Testcontainers starts ${reaper.join()}`);
  for (const file of (await listFiles()).filter((name) => TEXTS.test(name))) {
    const text = await read(file);
    for (const [image, { tag }] of Object.entries(TAGS)) {
      // Neither a port nor a module of Node.js.
      const mention = new RegExp(
        `(?<![\\w/.-])${image}:(?!\\d{4,5}\\b)(${image === 'node' ? '\\d' : '\\w'}[\\w.-]*)`,
        'g',
      );
      for (const [found, other] of text.matchAll(mention))
        if (other !== tag && other !== `${tag}.`)
          faults.push(`${file}: ${found} is not ${image}:${tag} of ${TAG_FILE}`);
    }
  }
}

async function findActions() {
  const files = [...(await filesUnder('deploy/pipelines', /\.yml$/)), '.github/workflows/checks.yml'];
  const texts = await Promise.all(files.map((file) => read(file)));
  return texts.flatMap((text) => [...text.matchAll(/uses: ([^.\s][^@\s]*)@/g)].map(([, name]) => name));
}

/** "*" stands for any characters. */
const isNamed = (pattern, name) => {
  const [start = '', ...others] = pattern.split('*').map((text) => text.replaceAll(/[.\\/+]/g, '\\$&'));
  return new RegExp(`^${[start, ...others].join('.*')}$`).test(name);
};
const rowFor = (rows, name) => rows.find(([pattern]) => isNamed(pattern, name));

function isAllowed(licence, allowed) {
  try {
    return satisfies(licence, allowed);
  } catch {
    return false;
  }
}

/** npm gave up this form of licences, so the lockfile lacks them. */
async function licenceOf(place, { license }) {
  if (license) return license;
  const { licenses = [] } = JSON.parse(await read(place, 'package.json').catch(() => '{}'));
  return licenses.map(({ type }) => type).join(' AND ') || 'none';
}

async function checkLicences(exceptions) {
  const used = new Set();
  for (const [place, entry] of Object.entries(lockfile.packages)) {
    if (!place.includes('node_modules/') || !entry.version) continue;
    const name = place.split('node_modules/').at(-1);
    const licence = await licenceOf(place, entry);
    if (isAllowed(licence, ALLOWED)) continue;
    const exception = rowFor(exceptions, name);
    const isException = exception && (exception[1] === licence || isAllowed(licence, [...ALLOWED, exception[1]]));
    if (isException) used.add(exception);
    else faults.push(`${name}: its licence is ${licence}: use another package, or add an exception with its reason`);
  }
  for (const exception of exceptions)
    if (!used.has(exception)) faults.push(`${DOCUMENT}: the exception ${exception[0]} is not needed`);
}

async function checkScripts() {
  if (!/^ignore-scripts=true$/m.test(await read('.npmrc'))) faults.push('.npmrc: set ignore-scripts=true');
  for (const file of dockerfiles)
    for (const [command] of (await read(file)).matchAll(/^[^#\n]*npm (?:ci|install)\b.*/gm))
      if (!command.includes('--ignore-scripts')) faults.push(`${file}: "${command.trim()}" lacks --ignore-scripts`);
}

/** Rows whose first cell is a name in backticks. */
const rowsOf = (text) =>
  [...text.matchAll(/^\| +`([^`]+)` +\|(.*)\|$/gm)].map(([, name, rest]) => [
    name,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);
const [lists, licences] = (await read(DOCUMENT)).split('\n## Licences\n');
const listed = rowsOf(lists);
const exceptions = rowsOf(licences);
const [packages, modules, images, actions] = await Promise.all([
  findPackages(),
  findGoModules(),
  findImages(),
  findActions(),
]);
const used = new Set([...packages, ...modules, ...images, ...actions]);
// These also have a keeper and a newest release.
const kept = new Set([...modules, ...images]);
const names = listed.map(([name]) => name);

for (const name of used) if (!rowFor(listed, name)) faults.push(`${DOCUMENT}: ${name} has no row`);
for (const name of names)
  if (![...used].some((one) => isNamed(name, one))) faults.push(`${DOCUMENT}: ${name} is not used any more`);
for (const [name, ...cells] of listed) {
  const wanted = kept.has(name) ? ['why', 'who keeps it', 'its newest release'] : ['why'];
  if (cells.length !== wanted.length + 1 || cells.includes(''))
    faults.push(`${DOCUMENT}: ${name}: say ${wanted.join(', ')}, and what would replace it`);
}
if (new Set(names).size < names.length) faults.push(`${DOCUMENT}: a name has two rows`);
await checkTags(images);
await checkLicences(exceptions);
await checkScripts();

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${used.size} dependencies have their row, and every licence is allowed.`);
