import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { listSuites } from './suites.js';

test('a suite belongs to the long run if its first line says why', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'najwa-suites-'));
  const files = {
    'services/auth/src/words.test.ts': "test('folds', () => {});\n",
    'services/auth/tests/component/limits.test.ts': "// Long run: limits.\nimport '../support/bed.js';\n",
    'services/auth/tests/support/bed.ts': '// Long run: no suite.\n',
    'web/e2e/home.test.ts': "import './browser.js';\n// Long run: not in the first line.\n",
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  const suites = await listSuites(root);
  await rm(root, { recursive: true });
  expect(suites.map(({ project, isLong }) => [project, isLong])).toEqual([
    ['unit', false],
    ['component', true],
    ['browser', false],
  ]);
});
