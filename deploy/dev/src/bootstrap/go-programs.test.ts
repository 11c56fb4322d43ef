import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentReporter } from '../reporter.js';
import { createCache } from './cache.js';
import { compileGoProgram, compileGoProgramsEarly, MINIO } from './go-programs.js';

/** Fake Go compiler: records each call and writes the file given by -o. */
const FAKE_GO = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/calls"
while [ "$1" != -o ]; do shift; done
sleep 0.2
echo program > "$2"
`;

describe('compiling Go programs before packages are installed', () => {
  const { PATH } = process.env;
  let folder = '';

  const calls = async (): Promise<string[]> =>
    (await readFile(path.join(folder, 'bin/calls'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const compileEarly = (environment: Record<string, string>, dockerSocket = path.join(folder, 'none')): Promise<void> =>
    compileGoProgramsEarly(silentReporter, new AbortController().signal, {
      environment: { XDG_CACHE_HOME: folder, ...environment },
      dataDir: path.join(folder, 'data'),
      dockerSocket,
    });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
    await mkdir(path.join(folder, 'bin'));
    await writeFile(path.join(folder, 'bin/go'), FAKE_GO);
    await chmod(path.join(folder, 'bin/go'), 0o700);
    process.env['PATH'] = `${path.join(folder, 'bin')}:/usr/bin:/bin`;
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(folder, { recursive: true });
  });

  test('compiles once, also for concurrent callers', async () => {
    const early = compileEarly({ MONGO_URL: 'mongodb://elsewhere' });
    const cache = createCache({ XDG_CACHE_HOME: folder });
    const executable = await compileGoProgram(MINIO, { cache, log: path.join(folder, 'log') }, silentReporter.step(''));
    await early;
    expect(await readFile(executable, 'utf8')).toBe('program\n');
    expect(await calls()).toHaveLength(1);
  });

  test('compiles nothing that the environment or Docker may provide', async () => {
    await compileEarly({ MONGO_URL: 'mongodb://elsewhere', S3_ENDPOINT: 'http://elsewhere' });
    await compileEarly({ DOCKER_HOST: 'tcp://elsewhere' });
    await compileEarly({}, path.join(folder, 'bin'));
    expect(await calls()).toEqual([]);
  });
});
