import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { identify, isAlive, startTimeIn } from './processes.js';

const statOf = (name: string, state: string): string =>
  `4711 (${name}) ${state} 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200`;

describe('process identity', () => {
  test('reads the start time of a process whose name has blanks and brackets', () => {
    expect(startTimeIn(statOf('a (b) c', 'S'))).toBe('987654');
  });

  test('treats a zombie process as ended', () => {
    expect(startTimeIn(statOf('node', 'Z'))).toBeUndefined();
  });

  test('distinguishes a running process from another with the same id', async () => {
    const self = await identify(process.pid);
    expect(self).toBeDefined();
    expect(await isAlive({ pid: process.pid, startedAt: self?.startedAt ?? '' })).toBe(true);
    expect(await isAlive({ pid: process.pid, startedAt: '1' })).toBe(false);
  });

  test('detects that a process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = await identify(child.pid ?? 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identity && (await isAlive(identity))).toBe(false);
  });
});
