// npm run images [-- NAME…]: builds each service's image as its own team would, and prints the sizes.
// NAJWA_TAG names the tag, "dev" by default.
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { checkoutRoot as root, SetupError } from '../dev/src/bootstrap/environment.js';

const MEGABYTE = 1_000_000;
/** Docker takes their values from the environment. PREVIOUS is the image that the new one replaces. */
const OF_WEB = [
  ...['TRACKING', 'TRACKING_RETENTION_DAYS', 'CONTACT_ADDRESS', 'HELP_TEXT_AR', 'HELP_TEXT_EN'],
  ...('PREVIOUS' in process.env ? ['PREVIOUS'] : []),
];

/** Runs a program and returns its output. */
/** @throws {SetupError} with the last line of what the program says, if it fails */
export async function outputOf(program, args, cwd = root) {
  try {
    return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 28 })).stdout.trim();
  } catch (error) {
    throw new SetupError(`${program} ${args[0]} failed: ${(error.stderr || error.message).trim().split('\n').at(-1)}`);
  }
}

/** How docker-compose.yml builds each image, by the name of the image. */
export async function findImages() {
  const { services } = parse(await readFile(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
  const named = Object.entries(services).filter(([name, { image }]) => image.startsWith(`najwa/${name}:`));
  return new Map(named.map(([name, { build }]) => [name, build]));
}

/** @throws {SetupError} with all output if it fails */
export async function buildImage({ name, build, revision, tag, program = ['build'], more = [] }) {
  const {
    dockerfile,
    args: { SERVICE, BASE },
  } = build;
  const folder = SERVICE === undefined ? name : `services/${SERVICE}`;
  const { version } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
  const args = [
    ...program,
    ...['--file', dockerfile, '--tag', tag, ...more],
    ...['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${revision}`],
    ...(SERVICE === undefined ? [] : ['--build-arg', `SERVICE=${SERVICE}`]),
    ...(BASE === undefined ? [] : ['--build-arg', `BASE=${BASE}`]),
    ...(name === 'web' ? OF_WEB.flatMap((variable) => ['--build-arg', variable]) : []),
    ...['--progress', 'plain', '.'],
  ];
  const child = spawn('docker', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) throw new SetupError(`${text}\nThe image of ${name} could not be built.`);
}

const inspect = async (image) => JSON.parse(await outputOf('docker', ['image', 'inspect', image]))[0];
const sizeOf = (bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`.padStart(10);

async function printSizes(names, tag) {
  process.stdout.write(`${'image'.padEnd(24)}${'size'.padStart(10)}${'above base'.padStart(12)}  base\n`);
  for (const name of names) {
    const image = await inspect(`najwa/${name}:${tag}`);
    const baseName = image.Config.Labels['org.opencontainers.image.base.name'];
    const base = await inspect(baseName);
    process.stdout.write(
      `${`najwa/${name}:${tag}`.padEnd(24)}${sizeOf(image.Size)}  ${sizeOf(image.Size - base.Size)}  ${baseName}\n`,
    );
  }
}

async function main(names) {
  const { NAJWA_TAG: tag = 'dev' } = process.env;
  const images = await findImages();
  const wanted = names.length > 0 ? names : [...images.keys()];
  const unknown = wanted.find((name) => !images.has(name));
  if (unknown !== undefined)
    throw new Error(`There is no image ${unknown}. There are: ${[...images.keys()].join(', ')}.`);
  const revision = await outputOf('git', ['rev-parse', 'HEAD']).catch(() => 'unknown');
  for (const name of wanted) {
    const startedAt = performance.now();
    await buildImage({ name, build: images.get(name), revision, tag: `najwa/${name}:${tag}` });
    process.stdout.write(`built najwa/${name}:${tag} in ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
  await printSizes(wanted, tag);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
