import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inCheckout } from './environment.js';
import { SWC_PARSER } from './swc-parser.js';

/** Vite compiles the web client, and k6 the load scripts. */
const COMPILED_ELSEWHERE = ['web', 'deploy/k6'];

/** @returns {Promise<string[]>} folders of the packages with compiled code */
export async function compiledPackages() {
  const { references } = JSON.parse(await readFile(inCheckout('tsconfig.build.json'), 'utf8'));
  const folders = references.map((/** @type {{ path: string }} */ reference) => path.join(reference.path, '..'));
  return folders.filter((/** @type {string} */ folder) => !COMPILED_ELSEWHERE.includes(folder));
}

const isTest = (/** @type {string} */ file) => file.includes('.test.');

/** @type {(folder: string) => Promise<string[]>} paths of all files, relative to the folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
}

/**
 * Writes a file in one step: another command may compile too, while a service starts from these files.
 * @type {(target: string, content: string | Buffer) => Promise<void>}
 */
async function writeWhole(target, content) {
  const part = `${target}.${process.pid}.part`;
  await writeFile(part, content);
  await rename(part, target);
}

/** @type {(source: string, target: string) => Promise<void>} */
async function compileFile(source, target) {
  const { transformFile } = await import('@swc/core');
  const { code, map = '' } = await transformFile(source, {
    ...SWC_PARSER,
    swcrc: false,
    sourceMaps: true,
    sourceFileName: path.relative(path.dirname(target), source),
  });
  await writeWhole(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`);
  await writeWhole(`${target}.map`, map);
}

/** @type {(folder: string) => Promise<void>} */
async function compilePackage(folder) {
  const [src, dist] = [inCheckout(folder, 'src'), inCheckout(folder, 'dist')];
  const sources = (await filesIn(src)).filter((file) => !isTest(file));
  const compiled = new Set();
  await Promise.all(
    sources.map(async (file) => {
      const target = path.join(dist, file.replace(/\.ts$/, '.js'));
      compiled.add(path.relative(dist, target));
      await mkdir(path.dirname(target), { recursive: true });
      const source = path.join(src, file);
      await (file.endsWith('.ts') ? compileFile(source, target) : writeWhole(target, await readFile(source)));
    }),
  );
  // Left by removed sources.
  for (const file of await filesIn(dist))
    if (file.endsWith('.js') && !compiled.has(file)) await rm(path.join(dist, file));
}

/**
 * Compiles every package, file by file. Types are not checked: that takes twenty times as long, and `npm test` does it.
 * @returns {Promise<void>}
 */
export async function compilePackages() {
  await Promise.all((await compiledPackages()).map(compilePackage));
}
