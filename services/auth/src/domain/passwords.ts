import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { AppError } from '@najwa/common/errors';
import { clientSite, createFairQueue, measureQueue, type FairQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import { Piscina } from 'piscina';

/** The library's enum is types-only. */
const ARGON2ID = 2;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Fair queueing key. Known and unknown senders also take turns. */
export interface Sender {
  key: string;
  /** By a session, or a device that signed in to the account before. */
  isKnown: boolean;
}

export const accountSender = (userId: number): Sender => ({ key: `account ${userId}`, isKnown: true });

export const callerSender = (ip: string, isKnown = false): Sender => ({ key: clientSite(ip), isKnown });

export interface Passwords {
  /**
   * Runs on a worker thread.
   * @returns a salted PHC string
   * @throws {AppError} like `verify`
   */
  hash(password: string, sender: Sender): Promise<string>;
  /**
   * Hashes even without an account, so that timing does not reveal which exist.
   * @throws {AppError} `too_many_requests` if the sender has too many waiting; `unavailable` if the queue is full or
   * slow
   */
  verify(passwordHash: string | undefined, password: string, sender: Sender): Promise<boolean>;
  /** Counts a pending decision as waiting, or a flood would pass all limits before it queues. */
  approach<Result>(decide: () => Promise<Result>): Promise<Result>;
  isCrowded(): boolean;
  isOutdated(passwordHash: string): boolean;
  close(): Promise<void>;
}

const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

/** Compiled or source. */
const THREAD = new URL(`./password-thread${extname(import.meta.url)}`, import.meta.url);

/** Leaves a core for the service. */
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

export const wrongPassword = (field: string): AppError =>
  new AppError({ code: 'wrong_password', message: 'The current password is wrong.', fields: { [field]: 'wrong' } });

/** @param isFair false for load tests from one address */
export async function createPasswords(metrics: Metrics, { isFair }: { isFair: boolean }): Promise<Passwords> {
  const threads = new Piscina({
    filename: THREAD.href,
    minThreads: 1,
    maxThreads: RUNNING,
    workerData: PARAMETERS,
    // Keeps secrets out of the threads.
    env: {},
  });
  const fairness = isFair ? FAIR_LIMITS : { waitingPerSender: Infinity };
  const turns = createFairQueue({ ...QUEUE_LIMITS, waitingPerSender: RUNNING });
  /** Two queues, so that a flood from unknown senders delays known ones by one turn. */
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
