import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { publicKeyEntry } from '@najwa/common';
import { valueOf, type Environment } from '../bootstrap/environment.js';
import { loadOrCreateSecret } from '../private-files.js';
import { SERVICE_NAMES, type Secrets, type ServiceName } from './environment.js';

export const ADMIN_SECRET_FILE = 'admin-secret';
const IDENTITY_KEY_FILE = 'identity-key.pem';

const createKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();

/** The secrets of a system, made once and kept beside its data. `ADMIN_SECRET` of the environment wins. */
export async function provideSecrets(dataDir: string, environment: Environment): Promise<Secrets> {
  const privateKey = await loadOrCreateSecret(path.join(dataDir, IDENTITY_KEY_FILE), createKey);
  const serviceKeys = Object.fromEntries(
    await Promise.all(
      SERVICE_NAMES.map(async (name) => [
        name,
        await loadOrCreateSecret(path.join(dataDir, `${name}-key.pem`), createKey),
      ]),
    ),
  ) as Record<ServiceName, string>;
  return {
    IDENTITY_PRIVATE_KEY: `${privateKey}\n`,
    IDENTITY_PUBLIC_KEY: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
    servicePrivateKeys: serviceKeys,
    SERVICE_PUBLIC_KEYS: SERVICE_NAMES.map((name) => publicKeyEntry(name, serviceKeys[name])).join(','),
    ADMIN_SECRET:
      valueOf(environment, 'ADMIN_SECRET') ??
      (await loadOrCreateSecret(path.join(dataDir, ADMIN_SECRET_FILE), () => randomBytes(24).toString('base64url'))),
  };
}
