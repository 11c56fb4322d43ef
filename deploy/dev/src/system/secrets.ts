import path from 'node:path';
import { valueOf, type Environment } from '../bootstrap/environment.js';
import {
  createPassword,
  createPrivateKeyPem,
  createSealingKey,
  publicKeyEntry,
  publicPemOf,
} from '../bootstrap/keys.js';
import { loadOrCreateSecret } from '../private-files.js';
import { SERVICE_NAMES, type Secrets, type ServiceName } from './environment.js';

export const ADMIN_SECRET_FILE = 'admin-secret';
const IDENTITY_KEY_FILE = 'identity-key.pem';
const ACCOUNT_KEY_FILE = 'account-key';
const MODERATION_KEY_FILE = 'moderation-key';
const SENDER_KEY_FILE = 'sender-key';
const PUSH_KEY_FILE = 'push-key';

/**
 * Made once and kept with the data. `ADMIN_SECRET`, `ACCOUNT_KEYS`, `MODERATION_KEYS`, `SENDER_KEYS` and `PUSH_KEYS` of
 * the environment win.
 */
export async function provideSecrets(dataDir: string, environment: Environment): Promise<Secrets> {
  const privateKey = await loadOrCreateSecret(path.join(dataDir, IDENTITY_KEY_FILE), createPrivateKeyPem);
  const serviceKeys = Object.fromEntries(
    await Promise.all(
      SERVICE_NAMES.map(async (name) => [
        name,
        await loadOrCreateSecret(path.join(dataDir, `${name}-key.pem`), createPrivateKeyPem),
      ]),
    ),
  ) as Record<ServiceName, string>;
  return {
    IDENTITY_PRIVATE_KEY: `${privateKey}\n`,
    IDENTITY_PUBLIC_KEY: publicPemOf(privateKey),
    servicePrivateKeys: serviceKeys,
    SERVICE_PUBLIC_KEYS: SERVICE_NAMES.map((name) => publicKeyEntry(name, serviceKeys[name])).join(','),
    ADMIN_SECRET:
      valueOf(environment, 'ADMIN_SECRET') ??
      (await loadOrCreateSecret(path.join(dataDir, ADMIN_SECRET_FILE), createPassword)),
    ACCOUNT_KEYS:
      valueOf(environment, 'ACCOUNT_KEYS') ??
      (await loadOrCreateSecret(path.join(dataDir, ACCOUNT_KEY_FILE), createSealingKey)),
    MODERATION_KEYS:
      valueOf(environment, 'MODERATION_KEYS') ??
      (await loadOrCreateSecret(path.join(dataDir, MODERATION_KEY_FILE), createSealingKey)),
    SENDER_KEYS:
      valueOf(environment, 'SENDER_KEYS') ??
      (await loadOrCreateSecret(path.join(dataDir, SENDER_KEY_FILE), createSealingKey)),
    PUSH_KEYS:
      valueOf(environment, 'PUSH_KEYS') ??
      (await loadOrCreateSecret(path.join(dataDir, PUSH_KEY_FILE), createSealingKey)),
  };
}
