import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { loadOrCreateSecret } from '../private-files.js';
import { valueOf, type Environment } from '../environment.js';
import type { Secrets } from './environment.js';

export const ADMIN_SECRET_FILE = 'admin-secret';
const IDENTITY_KEY_FILE = 'identity-key.pem';

/** The secrets of a system, made once and kept beside its data. `ADMIN_SECRET` of the environment wins. */
export async function provideSecrets(dataDir: string, environment: Environment): Promise<Secrets> {
  const privateKey = await loadOrCreateSecret(path.join(dataDir, IDENTITY_KEY_FILE), () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  );
  return {
    IDENTITY_PRIVATE_KEY: `${privateKey}\n`,
    IDENTITY_PUBLIC_KEY: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
    ADMIN_SECRET:
      valueOf(environment, 'ADMIN_SECRET') ??
      (await loadOrCreateSecret(path.join(dataDir, ADMIN_SECRET_FILE), () => randomBytes(24).toString('base64url'))),
  };
}
