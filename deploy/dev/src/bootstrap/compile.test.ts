import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { inCheckout } from './environment.js';

const BOOTSTRAP = 'deploy/dev/src/bootstrap';

test('compiling keeps what it compiled and removes what has no source any more', async () => {
  const checkout = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
  const here = (...names: string[]): string => path.join(checkout, ...names);
  await cp(inCheckout(BOOTSTRAP), here(BOOTSTRAP), { recursive: true });
  await symlink(inCheckout('node_modules'), here('node_modules'));
  await writeFile(here('package.json'), '{ "type": "module" }');
  await writeFile(here('tsconfig.build.json'), '{ "references": [{ "path": "thing/tsconfig.json" }] }');
  for (const name of ['src', 'dist']) await mkdir(here('thing', name), { recursive: true });
  await writeFile(here('thing/src/kept.ts'), 'export const kept: string = "kept";\n');
  await writeFile(here('thing/dist/removed.js'), '');

  const script = `const { compilePackages } = await import('./${BOOTSTRAP}/compile.js'); await compilePackages();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: checkout });
  expect((await readdir(here('thing/dist'))).sort()).toEqual(['kept.js', 'kept.js.map']);
  await rm(checkout, { recursive: true });
});
