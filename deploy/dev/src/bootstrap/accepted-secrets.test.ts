// Long run: loads every service.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { SERVICE_NAMES } from '../system/environment.js';
import { SERVICE_MODULES } from '../system/service-module.js';
import { writeKubernetesSecrets } from './secret-files.js';

/** Addresses that the manifests set. */
const ADDRESSES = Object.fromEntries(
  ['auth', 'messages', 'media', 'tracking', 'chatbot', 'admin', 'web'].flatMap((name) => [
    [`${name.toUpperCase()}_GRPC`, `${name}-grpc:9090`],
    [`${name.toUpperCase()}_URL`, `http://${name}:8080`],
  ]),
);

test('the local secrets are accepted by the configuration of every service', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
  await writeKubernetesSecrets(path.join(folder, 'secrets'));
  const variablesOf = async (name: string): Promise<Record<string, string | undefined>> =>
    parseEnv(await readFile(path.join(folder, 'secrets', `${name}.env`), 'utf8'));
  for (const service of SERVICE_NAMES) {
    const { loadConfig } = await SERVICE_MODULES[service]();
    const environment = { ...ADDRESSES, ...(await variablesOf('public-keys')), ...(await variablesOf(service)) };
    expect(() => loadConfig(environment)).not.toThrow();
  }
  await rm(folder, { recursive: true });
});
