import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { inRoot, SetupFault } from './checkout.js';
import { command, npm } from './command.js';
import { fingerprintOf, readStamp, writeStamp } from './fingerprint.js';

const OLDEST_NODE = [20, 19];
const COMPRESSIBLE = /\.(css|html|js|json|svg)$/;
const SMALLEST_TO_COMPRESS = 1_024;
const WORKSPACES = ['proto', 'services', 'web', 'deploy/bench'];

export function checkNode(reporter, version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new SetupFault(`Najwa needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${version}.`);
  }
  reporter.say(`Node.js ${version}`);
}

const modifiedAt = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

async function step(reporter, name, work) {
  const current = reporter.step(name);
  try {
    current.done(await work(current));
  } catch (error) {
    current.fail();
    throw error;
  }
}

/** Installs the packages when they are missing, or were installed from another lockfile. */
export function installPackages(reporter, signal) {
  return step(reporter, 'Packages', async (current) => {
    const wanted = await fingerprintOf('package-lock.json');
    const lockfile = inRoot('package-lock.json');
    const installed = inRoot('node_modules/.package-lock.json');
    // A hand-made npm install leaves no stamp, but is no older than the lockfile that it wrote.
    const isCurrent =
      (await readStamp('packages')) === wanted || (await modifiedAt(installed)) >= (await modifiedAt(lockfile));
    if (isCurrent && (await modifiedAt(installed)) > 0) return 'installed';
    current.doing('npm ci');
    await npm('Installing the packages', ['ci', '--no-audit', '--no-fund'], { signal });
    await writeStamp('packages', wanted);
    return 'installed now';
  });
}

/** Compiles every service when a source has changed. */
export function compileServices(reporter, signal) {
  return step(reporter, 'Services compiled', async (current) => {
    const sources = await fingerprintOf(...WORKSPACES, 'tsconfig.base.json', 'tsconfig.json', 'package-lock.json');
    const results = ['auth', 'media', 'tracking', 'chatbot', 'messages', 'admin', 'gateway'].map(
      (name) => `services/${name}/dist/main.js`,
    );
    const isThere = await Promise.all(
      [...results, 'services/dev-env/dist/index.js'].map((file) => modifiedAt(inRoot(file))),
    );
    if ((await readStamp('services')) === sources && isThere.every((time) => time > 0)) return 'up to date';
    current.doing('tsc --build');
    await command('Compiling', process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '--build'], { signal });
    await writeStamp('services', sources);
    return 'compiled now';
  });
}

async function compress(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !COMPRESSIBLE.test(file)) continue;
    const content = await readFile(file);
    if (content.length < SMALLEST_TO_COMPRESS) continue;
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

/** Builds the web client, with a compressed copy of each file, when a source has changed. */
export function buildWeb(reporter, signal) {
  return step(reporter, 'Web client', async (current) => {
    const sources = await fingerprintOf('web', 'package-lock.json');
    if ((await readStamp('web')) === sources && (await modifiedAt(inRoot('web/dist/index.html'))) > 0)
      return 'up to date';
    current.doing('vite build');
    await npm('Building the web client', ['run', 'build', '--workspace', 'web'], { signal });
    await compress(inRoot('web/dist'));
    await writeStamp('web', sources);
    return 'built now';
  });
}
