import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identify } from '../bootstrap/processes.js';
import { claimProcesses } from './records.js';

const WAITS = 'process.stdout.write("up"); setInterval(() => {}, 1000)';
const IGNORES_SIGTERM = `process.on("SIGTERM", () => {}); ${WAITS}`;

describe('the processes of a data folder', () => {
  let folder = '';
  const children: ChildProcess[] = [];

  const start = async (script: string, cwd = tmpdir()): Promise<ChildProcess & { pid: number }> => {
    const child = spawn(process.execPath, ['-e', script], { cwd, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    await once(child.stdout, 'data');
    return child as typeof child & { pid: number };
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  test.each([
    ['that stops when it is asked to', WAITS],
    ['that does not', IGNORES_SIGTERM],
  ])('ends processes left by a killed start: one %s', async (_, script) => {
    const leftover = await start(script);
    await writeFile(
      path.join(folder, 'database.json'),
      JSON.stringify({ ...(await identify(leftover.pid)), stopSignal: 'SIGTERM' }),
    );
    const ended = once(leftover, 'exit');
    await claimProcesses(folder);
    await ended;
    expect(await readdir(folder)).toEqual(['owner.json']);
  });

  test('ends processes left by a killed start outside of its group', async () => {
    const ownFolder = path.join(folder, 'own');
    await mkdir(ownFolder);
    const leftover = await start(WAITS, ownFolder);
    await writeFile(
      path.join(folder, 'database.json'),
      JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1', stopSignal: 'SIGTERM', ownFolder }),
    );
    const ended = once(leftover, 'exit');
    await claimProcesses(folder);
    await ended;
  });

  test('does not end an unrelated process with a reused id', async () => {
    const stranger = await start(WAITS);
    await writeFile(
      path.join(folder, 'database.json'),
      JSON.stringify({ pid: stranger.pid, startedAt: '1', stopSignal: 'SIGKILL' }),
    );
    await claimProcesses(folder);
    expect(await identify(stranger.pid)).toBeDefined();
  });

  test('a folder in use is refused to a second start', async () => {
    const first = await start(WAITS);
    await writeFile(path.join(folder, 'owner.json'), JSON.stringify(await identify(first.pid)));
    await expect(claimProcesses(folder)).rejects.toThrow(
      `Najwa already runs on this data, as process ${first.pid}: stop that one first.`,
    );
  });

  test('a folder can be claimed again after release, despite incomplete records', async () => {
    const records = await claimProcesses(folder);
    await records.release();
    await writeFile(path.join(folder, 'cut-off.json'), '{"pid":');
    await claimProcesses(folder);
    expect(await readdir(folder)).toEqual(['owner.json']);
  });
});
