import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of 32 bytes in base64, comma-separated. The first seals, all open. */
export const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  .refine(
    (keys) => keys.every(({ length }) => length === KEY_BYTES),
    'must be 32 random bytes in base64, or several such keys with commas between them',
  );

/** AES-256-GCM. @param owner required to decrypt */
export function encryptBytes(key: Buffer, plain: Buffer, owner: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws for another key or owner, or changed bytes */
export function decryptBytes(key: Buffer, bytes: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** @returns base64url */
export const encrypt = (key: Buffer, secret: Buffer, owner: string): string =>
  encryptBytes(key, secret, owner).toString('base64url');

export const decrypt = (key: Buffer, text: string, owner: string): Buffer =>
  decryptBytes(key, Buffer.from(text, 'base64url'), owner);

const idOf = (key: Buffer): string =>
  createHash('sha256').update('najwa sealing key').update(key).digest('base64url').slice(0, 8);

/** Encrypts secrets that a service must read again (AES-256-GCM). */
export class Sealer {
  readonly keyId: string;
  readonly #key: Buffer;
  readonly #byId: ReadonlyMap<string, Buffer>;

  constructor(keys: readonly Buffer[]) {
    const [current] = keys;
    if (current === undefined) throw new Error('There is no key to seal with.');
    this.keyId = idOf(current);
    this.#key = current;
    this.#byId = new Map(keys.map((key) => [idOf(key), key]));
  }

  /**
   * @param owner record of the secret, such as `totp 7`
   * @returns key id, a dot, and base64url
   */
  seal(secret: Buffer, owner: string): string {
    return `${this.keyId}.${encrypt(this.#key, secret, owner)}`;
  }
  /** @throws for another key or owner, or a changed text */
  open(sealed: string, owner: string): Buffer {
    const [id = '', text = ''] = sealed.split('.');
    const key = this.#byId.get(id);
    if (key === undefined) throw new Error('The key that sealed this is not configured.');
    return decrypt(key, text, owner);
  }
  /** Seals again after a rotation. @returns null if the key is current */
  renew(sealed: string, owner: string): string | null {
    return sealed.startsWith(`${this.keyId}.`) ? null : this.seal(this.open(sealed, owner), owner);
  }
}
