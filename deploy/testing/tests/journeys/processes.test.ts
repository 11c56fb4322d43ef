// Long run: the test bed itself.
import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { silentReporter } from '@najwa/dev/reporter';
import { startSystem, type System, type SystemPart } from '@najwa/dev/system';
import { makeTestFolder } from '@najwa/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICE_NAMES } from '@najwa/proto/http/client';

const START_TIMEOUT_MS = 120_000;
const PATIENCE_MS = 30_000;

const LISTENING = '0A';
const LOOPBACK = /^(0100007F|00000000000000000000000001000000):/;

/** Listening addresses and ports of a process, in the kernel's format. */
async function listensAt(pid: number): Promise<string[]> {
  const sockets = new Set<string>();
  for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
    sockets.add(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '');
  }
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8')));
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === LISTENING && sockets.has(columns[9] ?? ''))
    .map(([, local = '']) => local);
}

const portIn = (local: string): number => Number.parseInt(local.split(':')[1] ?? '', 16);

describe('the processes of a system', () => {
  let dataDir = '';
  let system: System;

  const isReady = async (part: SystemPart): Promise<boolean> => {
    const response = await fetch(`${system.urlOf(part)}/health/ready`).catch(() => undefined);
    return response?.ok ?? false;
  };
  const recordOf = async (name: string): Promise<{ pid: number }> =>
    JSON.parse(await readFile(path.join(dataDir, 'processes', `${name}.json`), 'utf8')) as { pid: number };
  const becomes = async (wanted: boolean, condition: () => Promise<boolean>): Promise<boolean> => {
    const deadline = performance.now() + PATIENCE_MS;
    while ((await condition()) !== wanted) {
      if (performance.now() > deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return true;
  };

  beforeAll(async () => {
    dataDir = await makeTestFolder('najwa-journey-');
    const run = `test-${randomUUID().slice(0, 8)}`;
    system = await startSystem({
      dataDir,
      reporter: silentReporter,
      ownParts: ['amqp'],
      persistent: false,
      databasePrefix: run,
      environment: { ...process.env, S3_BUCKET: run, LOG_LEVEL: 'warn' },
    });
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    await system.stop();
    expect(await readdir(path.join(dataDir, 'processes'))).toEqual([]);
    await rm(dataDir, { recursive: true });
  }, START_TIMEOUT_MS);

  test('respond at one address', async () => {
    const page = await fetch(system.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const status = await fetch(`${system.url}/api/auth-status`);
    expect([status.status, status.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
  });

  // The tables are Linux's.
  // Threat model: else-2.
  (process.platform === 'linux' ? test : test.skip)(
    'listen on the loopback alone, at their own ports and no others',
    async () => {
      const names = (await readdir(path.join(dataDir, 'processes'))).map((file) => path.basename(file, '.json'));
      expect(names).toEqual(expect.arrayContaining([...SERVICE_NAMES]));
      for (const name of names.filter((other) => other !== 'owner')) {
        const { pid } = await recordOf(name);
        const addresses = await listensAt(pid);
        expect([name, addresses.filter((address) => !LOOPBACK.test(address))]).toEqual([name, []]);
        if (!(SERVICE_NAMES as readonly string[]).includes(name)) continue;
        const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
        const declared = environment.flatMap((variable) => /^(?:GRPC_|METRICS_)?PORT=(\d+)$/.exec(variable)?.[1] ?? []);
        expect([name, addresses.map(portIn).sort()]).toEqual([name, declared.map(Number).sort()]);
      }
    },
  );

  test('the processes of a system are restarted after a kill', async () => {
    const { pid } = await recordOf('messages');
    process.kill(pid, 'SIGKILL');
    expect(
      await becomes(
        true,
        async () => (await recordOf('messages').catch(() => ({ pid }))).pid !== pid && (await isReady('messages')),
      ),
    ).toBe(true);
  });

  test('stay down if the test requests it', async () => {
    await system.kill('tracking');
    expect(await isReady('tracking')).toBe(false);
    await system.restart('tracking');
    expect(await isReady('tracking')).toBe(true);
  });

  test('keep responding while the broker is down', async () => {
    await system.infrastructure.parts.amqp.kill?.();
    const status = await fetch(`${system.url}/api/auth-status`);
    expect(status.status).toBe(200);
    await system.infrastructure.parts.amqp.restart?.();
  });
});
