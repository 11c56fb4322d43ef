import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Reporter } from '../reporter.js';
import { silentReporter } from '../reporter.js';
import { identify, until } from '../bootstrap/processes.js';
import { keepRunning, restartPause } from './keep-running.js';
import { accepts, freePort } from './ports.js';
import { Program } from './program.js';
import { openSupervisor, type Supervisor } from './supervisor.js';

const server = (port: number): string => `require('node:net').createServer().listen(${port}, '127.0.0.1')`;

describe('a program of several processes', () => {
  let folder = '';
  let supervisor: Supervisor;
  let program: Program | undefined;
  const pids = new Map<string, number>();

  const twoServers = async (second?: string): Promise<{ program: Program; ports: [number, number] }> => {
    const ports: [number, number] = [await freePort(), await freePort()];
    program = new Program('pair', async function* (signal) {
      for (const [index, port] of ports.entries()) {
        const script = index === 1 && second !== undefined ? second : server(port);
        const process = await supervisor.start(
          {
            name: `server-${index}`,
            command: globalThis.process.execPath,
            args: ['-e', script],
            env: {},
            ready: () => accepts(port),
          },
          signal,
        );
        pids.set(process.name, process.pid);
        yield process;
      }
    });
    return { program, ports };
  };
  const answers = async (ports: number[]): Promise<boolean[]> => Promise.all(ports.map((port) => accepts(port)));
  const recorded = async (name: string): Promise<string> =>
    readFile(path.join(folder, 'processes', `${name}.json`), 'utf8').catch(() => '');

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
    supervisor = await openSupervisor(folder);
  });
  afterEach(async () => {
    await program?.kill();
    program = undefined;
    await rm(folder, { recursive: true });
  });

  test('starts and stops all of them, and leaves no record', async () => {
    const { program, ports } = await twoServers();
    await program.start();
    expect(await answers(ports)).toEqual([true, true]);
    await program.stop();
    expect(await answers(ports)).toEqual([false, false]);
    expect(await recorded('server-0')).toBe('');
  });

  test('restarts on the same ports after a kill', async () => {
    const { program, ports } = await twoServers();
    await program.start();
    await program.kill();
    expect(await answers(ports)).toEqual([false, false]);
    await program.start();
    expect(await answers(ports)).toEqual([true, true]);
  });

  test.each(['kill', 'stop'] as const)('leaves no process that left its group, after %s', async (end) => {
    const ownFolder = path.join(folder, 'own');
    await mkdir(ownFolder);
    const port = await freePort();
    const leaver = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(server(port))}], { cwd: ${JSON.stringify(ownFolder)}, detached: true, stdio: 'ignore' }); setInterval(() => {}, 1_000);`;
    program = new Program('leaver', async function* (signal) {
      yield await supervisor.start(
        {
          name: 'leaver',
          command: process.execPath,
          args: ['-e', leaver],
          env: {},
          ownFolder,
          ready: () => accepts(port),
        },
        signal,
      );
    });
    await program.start();
    expect(await accepts(port)).toBe(true);
    await program[end]();
    expect(await accepts(port)).toBe(false);
  });

  test('cleans up when one process cannot start, and names the log', async () => {
    const { program, ports } = await twoServers('console.error("a fault"); process.exit(1)');
    await expect(program.start()).rejects.toThrow(
      /server-1 ended before it was ready; its output is in .*server-1\.log/,
    );
    expect(await readFile(path.join(folder, 'logs/server-1.log'), 'utf8')).toContain('a fault');
    expect(await answers(ports)).toEqual([false, false]);
  });

  test('restarts all processes when one crashes', async () => {
    const { program, ports } = await twoServers();
    await program.start();
    const before = new Map(pids);
    const said: string[] = [];
    const reporter: Reporter = { ...silentReporter, say: (line) => said.push(line) };
    const stopping = new AbortController();
    keepRunning(program, { reporter, signal: stopping.signal });

    process.kill(before.get('server-1') ?? 0, 'SIGKILL');

    expect(await until(() => pids.get('server-1') !== before.get('server-1'), { timeoutMs: 60_000 })).toBe(true);
    expect(await answers(ports)).toEqual([true, true]);
    expect(await identify(before.get('server-0') ?? 0)).toBeUndefined();
    expect(said).toEqual(['pair ended unexpectedly. Restarting it in 0.25 s.']);
    stopping.abort();
  });
});

test('the restart delay grows up to a limit', () => {
  expect([0, 1, 2, 10].map(restartPause)).toEqual([250, 500, 1_000, 30_000]);
});

describe('a program that keeps crashing', () => {
  /** Fails to start the given number of times after its first crash. */
  const crashing = (failures: number) => {
    const listeners: (() => void)[] = [];
    let starts = 0;
    const program = {
      name: 'pair',
      start: () => {
        starts += 1;
        return starts > failures ? Promise.resolve() : Promise.reject(new Error('no'));
      },
      onCrash: (listener: () => void) => void listeners.push(listener),
    };
    return { program, starts: () => starts, crash: () => listeners.forEach((listener) => listener()) };
  };

  test('a program that keeps crashing is restarted without a limit on attempts', async () => {
    const { program, starts, crash } = crashing(20);
    const stopping = new AbortController();
    keepRunning(program, { reporter: silentReporter, signal: stopping.signal, pauseBefore: () => 1 });
    crash();
    expect(await until(() => starts() === 21, { timeoutMs: 60_000 })).toBe(true);
    stopping.abort();
  });
});

test('a data folder with open permissions is restricted to its owner', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
  try {
    await chmod(folder, 0o755);
    const supervisor = await openSupervisor(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await supervisor.release();
  } finally {
    await rm(folder, { recursive: true });
  }
});
