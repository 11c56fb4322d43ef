import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Services that call others over gRPC. */
export const CALLING_SERVICES = /** @type {const} */ (['gateway', 'auth', 'messages', 'chatbot', 'admin']);

/** @returns {string} an Ed25519 private key, PKCS #8 PEM */
export const createPrivateKeyPem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();

/** @type {(privateKey: string) => string} the PEM of the public key that belongs to a private one */
export const publicPemOf = (privateKey) =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();

/**
 * Formats the `SERVICE_PUBLIC_KEYS` entry of a service.
 * @param {string} service
 * @param {string} key PEM of the private or public key
 */
export const publicKeyEntry = (service, key) =>
  `${service}=${createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')}`;

/** @returns {string} 192 random bits, safe in an address */
export const createPassword = () => randomBytes(24).toString('base64url');

/** @returns {string} 80 random bits in 20 letters and digits, the most that an access key of S3 may have */
export const createUserName = () => randomBytes(10).toString('hex');

/** @returns {Credentials} a user and a password that no other installation has */
export const createCredentials = () => ({ user: createUserName(), password: createPassword() });

/** @returns {string} a key for AES-256, base64 */
export const createSealingKey = () => randomBytes(32).toString('base64');

/** @type {(pem: string) => string} the PEM on one line, with \n for line breaks, as files of variables need it */
export const onOneLine = (pem) => `${pem.trim().replaceAll('\n', '\\n')}\\n`;

/** @typedef {{ user: string, password: string }} Credentials */

/**
 * Everything secret of one deployment, and the public keys that belong to it.
 * @typedef {{
 *   identity: { privateKey: string, publicKey: string },
 *   services: Record<(typeof CALLING_SERVICES)[number], string>,
 *   servicePublicKeys: string,
 *   adminSecret: string,
 *   accountKey: string,
 *   moderationKey: string,
 *   senderKey: string,
 *   pushKey: string,
 *   stores: { mongodb: Credentials, rabbitmq: Credentials, minio: Credentials },
 * }} Keys
 */

/** @returns {Keys} new ones; keys are PEMs on one line */
export function createKeys() {
  const identity = createPrivateKeyPem();
  const services = CALLING_SERVICES.map((name) => /** @type {const} */ ([name, createPrivateKeyPem()]));
  return {
    identity: { privateKey: onOneLine(identity), publicKey: onOneLine(publicPemOf(identity)) },
    services: /** @type {Keys['services']} */ (
      Object.fromEntries(services.map(([name, key]) => [name, onOneLine(key)]))
    ),
    servicePublicKeys: services.map(([name, key]) => publicKeyEntry(name, key)).join(','),
    adminSecret: createPassword(),
    accountKey: createSealingKey(),
    moderationKey: createSealingKey(),
    senderKey: createSealingKey(),
    pushKey: createSealingKey(),
    stores: { mongodb: createCredentials(), rabbitmq: createCredentials(), minio: createCredentials() },
  };
}
