import { availableParallelism } from 'node:os';
import { AppError, createBoundedQueue } from '@najwa/common';
import { hash, verify } from '@node-rs/argon2';

/** The library's number for argon2id; its enum exists in its types only. */
const ARGON2ID = 2;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  /** @returns a PHC string with a salt of its own. Runs outside the event loop. */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. Takes the same time without an account, so that timing does not reveal which accounts exist.
   * @param passwordHash of the account, or undefined if there is none
   */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
  /** True if a hash was made with other than the current parameters. */
  isOutdated(passwordHash: string): boolean;
}

const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

/** Leaves one core for everything else the service does. */
const RUNNING = Math.max(1, availableParallelism() - 1);
const WAITING = 500;
const RETRY_AFTER_SECONDS = 5;

/** @param field of the request that has the password */
export const wrongPassword = (field: string): AppError =>
  new AppError({ code: 'wrong_password', message: 'The current password is wrong.', fields: { [field]: 'wrong' } });

export async function createPasswords(): Promise<Passwords> {
  const enqueue = createBoundedQueue({ concurrency: RUNNING, maxWaiting: WAITING, retryAfter: RETRY_AFTER_SECONDS });
  const hashPassword = (password: string): Promise<string> =>
    enqueue(() => hash(password.normalize('NFC'), PARAMETERS));
  const decoy = await hashPassword('the password of nobody');
  return {
    hash: hashPassword,
    async verify(passwordHash, password) {
      const matches = await enqueue(() => verify(passwordHash ?? decoy, password.normalize('NFC')));
      return passwordHash !== undefined && matches;
    },
    isOutdated: (passwordHash) => !passwordHash.startsWith(CURRENT),
  };
}
