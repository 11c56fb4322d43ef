import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { AppError } from '@najwa/common/errors';
import { clientSite, createFairQueue, measureQueue, type FairQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import { Piscina } from 'piscina';

/** The library's number for argon2id; its enum exists in its types only. */
const ARGON2ID = 2;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Takes turns for hashes with others of its kind. The two kinds, strangers and people who are known, take turns as well. */
export interface Sender {
  key: string;
  /** By a session, or by a device from which somebody signed in to the account before. */
  isKnown: boolean;
}

/** A signed-in account has turns of its own: its calls are few. */
export const accountSender = (userId: number): Sender => ({ key: `account ${userId}`, isKnown: true });

/** A caller without a session counts by its site. */
export const callerSender = (ip: string, isKnown = false): Sender => ({ key: clientSite(ip), isKnown });

export interface Passwords {
  /**
   * @returns a PHC string with a salt of its own. Runs in a thread of its own.
   * @throws {AppError} `too_many_requests`, `unavailable`, as of `verify`
   */
  hash(password: string, sender: Sender): Promise<string>;
  /**
   * Checks a password. Takes the same time without an account, so that timing does not reveal which accounts exist.
   * @param passwordHash of the account, or undefined if there is none
   * @throws {AppError} `too_many_requests` if the sender has too many waiting; `unavailable` if all together have, or
   * after a wait that is too long
   */
  verify(passwordHash: string | undefined, password: string, sender: Sender): Promise<boolean>;
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
  const turns = createFairQueue({ ...QUEUE_LIMITS, waitingPerSender: RUNNING });
  /** Guesses of strangers, from however many sites, delay those who are known by one turn. */
  const queueOf = (kind: string): FairQueue => {
    const queue = createFairQueue({ ...QUEUE_LIMITS, ...fairness });
    return measureQueue((task, run) => queue(task, () => turns({ sender: kind }, run)), 'passwords', metrics);
  };
  const [ofKnown, ofStrangers] = [queueOf('known'), queueOf('strangers')];
  let pending = 0;
  const approach = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    pending += 1;
    try {
      return await run();
    } finally {
      pending -= 1;
    }
  };
  const enqueue = <Result>({ key, isKnown }: Sender, run: () => Promise<Result>): Promise<Result> =>
    approach(() => (isKnown ? ofKnown : ofStrangers)({ sender: key }, run));
  const hashPassword = (password: string, sender: Sender): Promise<string> =>
    enqueue(sender, () => threads.run(password.normalize('NFC'), { name: 'hash' }) as Promise<string>);
  const decoy = await hashPassword('the password of nobody', { key: 'nobody', isKnown: true });
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
