import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { AppError } from '@najwa/common/errors';
import { createFairQueue, measureQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import { Piscina } from 'piscina';

/** The library's number for argon2id; its enum exists in its types only. */
const ARGON2ID = 2;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  /**
   * @param sender takes turns with the others: the site of a caller, or an account
   * @returns a PHC string with a salt of its own. Runs in a thread of its own.
   * @throws {AppError} `too_many_requests`, `unavailable`, as of `verify`
   */
  hash(password: string, sender: string): Promise<string>;
  /**
   * Checks a password. Takes the same time without an account, so that timing does not reveal which accounts exist.
   * @param passwordHash of the account, or undefined if there is none
   * @throws {AppError} `too_many_requests` if the sender has too many waiting; `unavailable` if all together have, or
   * after a wait that is too long
   */
  verify(passwordHash: string | undefined, password: string, sender: string): Promise<boolean>;
  /**
   * Runs what decides whether a password is checked at all, and counts it as waiting meanwhile. Otherwise a flood would
   * pass all limits before the first of it waits.
   */
  approach<Result>(decide: () => Promise<Result>): Promise<Result>;
  /** True if so many wait that a new caller should show that it means it, with a proof of work. */
  isCrowded(): boolean;
  /** True if a hash was made with other than the current parameters. */
  isOutdated(passwordHash: string): boolean;
  close(): Promise<void>;
}

const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

/** The module beside this one, with the same extension: compiled or source. */
const THREAD = new URL(`./password-thread${extname(import.meta.url)}`, import.meta.url);

/** Leaves one core for everything else the service does. */
const RUNNING = Math.max(1, availableParallelism() - 1);
/** About a second of work. */
const CROWD = 20 * RUNNING;
const QUEUE_LIMITS = {
  capacity: RUNNING,
  runningPerSender: RUNNING,
  maxWaiting: 500,
  retryAfter: 5,
};
const FAIR_LIMITS = { waitingPerSender: 2 * CROWD, maxWaitMs: 8_000 };

/** A signed-in account has turns of its own: its calls are few. */
export const accountSender = (userId: number): string => `account ${userId}`;

/** @param field of the request that has the password */
export const wrongPassword = (field: string): AppError =>
  new AppError({ code: 'wrong_password', message: 'The current password is wrong.', fields: { [field]: 'wrong' } });

/** @param isFair false for a test that sends everything from one address */
export async function createPasswords(metrics: Metrics, { isFair }: { isFair: boolean }): Promise<Passwords> {
  const threads = new Piscina({
    filename: THREAD.href,
    minThreads: 1,
    maxThreads: RUNNING,
    workerData: PARAMETERS,
    // Threads need no configuration or secrets.
    env: {},
  });
  const fairness = isFair ? FAIR_LIMITS : { waitingPerSender: Infinity };
  const queue = measureQueue(createFairQueue({ ...QUEUE_LIMITS, ...fairness }), 'passwords', metrics);
  let pending = 0;
  const approach = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    pending += 1;
    try {
      return await run();
    } finally {
      pending -= 1;
    }
  };
  const enqueue = <Result>(sender: string, run: () => Promise<Result>): Promise<Result> =>
    approach(() => queue({ sender }, run));
  const hashPassword = (password: string, sender: string): Promise<string> =>
    enqueue(sender, () => threads.run(password.normalize('NFC'), { name: 'hash' }) as Promise<string>);
  const decoy = await hashPassword('the password of nobody', 'nobody');
  return {
    hash: hashPassword,
    async verify(passwordHash, password, sender) {
      const task = { passwordHash: passwordHash ?? decoy, password: password.normalize('NFC') };
      const matches = await enqueue(sender, () => threads.run(task, { name: 'verify' }) as Promise<boolean>);
      return passwordHash !== undefined && matches;
    },
    approach,
    isCrowded: () => isFair && pending >= CROWD,
    isOutdated: (passwordHash) => !passwordHash.startsWith(CURRENT),
    close: () => threads.destroy(),
  };
}
