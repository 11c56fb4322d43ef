import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkoutRoot, inCheckout } from '@najwa/dev/bootstrap/environment';

let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'najwa-audit-'));
  const lockfile = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  installed = lockfile.packages['node_modules/amqplib']?.version ?? '';
});

afterAll(() => rm(folder, { recursive: true }));

const audit = (args: string[], env: Record<string, string> = {}): Promise<{ status: number; output: string }> =>
  new Promise((resolve) => {
    const options = { cwd: checkoutRoot, env: { ...process.env, ...env } };
    const child = execFile('node', ['deploy/check/audit.js', ...args], options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });

/** Writes an advisory of a package, in OSV's format. */
async function adviseOn(name: string, events: object[], severity = 'HIGH'): Promise<string> {
  const file = path.join(folder, 'advisory.json');
  const affected = [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }];
  const advisory = { id: 'GHSA-test', summary: 'An example', affected, database_specific: { severity } };
  await writeFile(file, JSON.stringify([advisory]));
  return file;
}

test('an advisory file that names an installed version is a finding', async () => {
  const file = await adviseOn('amqplib', [{ introduced: '0' }, { last_affected: installed }]);
  const { status, output } = await audit(['--advisories', file]);
  expect(output).toContain(`high: amqplib ${installed}: GHSA-test An example`);
  expect(status).toBe(1);
});

test.each([
  ['the version that has the mend', (version: string) => [{ introduced: '0' }, { fixed: version }]],
  ['a version before the fault came', () => [{ introduced: '999.0.0-rc.1' }, { fixed: '999.0.0' }]],
])('%s is no finding', async (_title, events) => {
  const { status, output } = await audit(['--advisories', await adviseOn('amqplib', events(installed))]);
  expect(output).toMatch(/packages checked against 1 advisories, 0 with known vulnerabilities/);
  expect(status).toBe(0);
});

test('a registry that does not answer, or a file that says nothing, has checked nothing', async () => {
  const registry = createServer((_request, response) => response.writeHead(405).end()).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  try {
    const { port } = registry.address() as AddressInfo;
    const { status, output } = await audit([], { npm_config_registry: `http://127.0.0.1:${port}/` });
    expect(output).toMatch(/^Not checked: the registry gives no advisories \(it answered 405\)\./);
    expect(status).toBe(2);
  } finally {
    registry.close();
  }
  const file = path.join(folder, 'other.json');
  await writeFile(file, '{"name":"other"}');
  expect(await audit(['--advisories', file])).toMatchObject({
    status: 2,
    output: expect.stringMatching(/^Not checked: .*OSV/),
  });
});
