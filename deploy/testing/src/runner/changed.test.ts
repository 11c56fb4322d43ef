import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { suitesReachedBy } from './changed.js';

const FILES = {
  'services/auth/package.json': '{"name": "@najwa/auth", "exports": {".": {"najwa-source": "./src/index.ts"}}}',
  'services/auth/src/index.ts': "export * from './words.js';",
  'services/auth/src/words.ts': '',
  'services/auth/src/words.test.ts': "import { fold } from './words.js';",
  'services/auth/src/other.test.ts': '',
  'services/auth/tests/component/login.test.ts': "import { bed } from '../support/bed.js';",
  'services/auth/tests/support/bed.ts': '',
  'services/media/src/worker.ts': '',
  'services/media/src/threads.ts': "new Worker(new URL('./worker.js', import.meta.url));",
  'services/media/src/threads.test.ts': "const { run } = await import('./threads.js');",
  'services/messages/tests/component/rules.test.ts': "import { as } from '../support/rules.js';",
  'services/messages/tests/support/rules.ts': 'const bed = await sharedBed();',
  'services/messages/tests/component/sending.test.ts': "startTestBed({ services: ['auth', 'messages'] });",
  'services/messages/tests/component/texts.test.ts': "import { startSystem } from '@najwa/dev/system';",
  'deploy/dev/package.json': '{"name": "@najwa/dev", "exports": {"./*": {"najwa-source": "./src/*.ts"}}}',
  'deploy/dev/src/system.ts': "const module = await import('@najwa/auth');",
  'deploy/testing/tests/journeys/kills.test.ts': '',
  'web/src/pages/Home.tsx': '',
  'web/src/pages/Home.test.tsx': "import { Home } from './Home.js';",
  'web/e2e/home.test.ts': "import type { Account } from '@najwa/auth';",
};

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'najwa-changed-'));
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
});

afterAll(() => rm(root, { recursive: true }));

const reached = async (...files: string[]) =>
  (await suitesReachedBy(files, root)).suites.map(({ file }) => file.split('/').at(-1));

test('a source reaches the tests that import it, nearest first, and those that run its service', async () => {
  expect(await reached('services/auth/src/words.ts')).toEqual([
    'words.test.ts',
    'login.test.ts',
    'rules.test.ts',
    'sending.test.ts',
    'kills.test.ts',
    'home.test.ts',
  ]);
  expect(await suitesReachedBy(['services/auth/src/words.ts'], root)).toMatchObject({
    suites: [1, 1_001, 1_002, 1_002, 1_002, 2].map((distance) => ({ distance })),
    left: ['2 of 3 unit suites', '1 of 1 web suites', '1 of 4 component suites'],
  });
});

test('a service reaches the tests that share services, and the gateway only those that start one', async () => {
  expect(await reached('services/chatbot/src/gone.ts')).toContain('rules.test.ts');
  expect(await reached('services/gateway/src/gone.ts')).not.toContain('rules.test.ts');
});

test('a worker reaches the tests of what starts it', async () => {
  expect(await reached('services/media/src/worker.ts')).toContain('threads.test.ts');
});

test('what only tests import reaches no other suites', async () => {
  expect(await reached('services/auth/tests/support/bed.ts')).toEqual(['login.test.ts']);
  expect(await reached('services/auth/src/other.test.ts')).toEqual(['other.test.ts']);
});

test('a component of the client reaches its tests and the browser', async () => {
  expect(await reached('web/src/pages/Home.tsx')).toEqual(['Home.test.tsx', 'home.test.ts']);
});

test('documents reach nothing, and a file that nothing knows reaches everything', async () => {
  expect(await reached('README.md', 'docs/threat-model.md')).toEqual([]);
  for (const file of ['package-lock.json', 'proto/najwa/auth.proto', 'services/common/src/gone.ts', 'new/folder/x'])
    expect(await reached(file)).toHaveLength(10);
});
