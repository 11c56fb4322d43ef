import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { AppError } from '@najwa/common/errors';
import { clientSite, createFairQueue, measureQueue, type FairQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import type { Sealer } from '@najwa/common/sealing';
import type { ProofOfWork } from '@najwa/product';
import { Piscina } from 'piscina';
import type { AuthLimits } from '../config.js';
import type { SessionsDeps } from '../sessions/sessions.js';

export interface AccessDeps extends SessionsDeps {
  passwords: Passwords;
  /** For keys of recovery codes and second steps. */
  sealer: Sealer;
  limits: AuthLimits;
  loginProofs: ProofOfWork;
  resetProofs: ProofOfWork;
  registerProofs: ProofOfWork;
  staffTotpRequired: boolean;
}

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

const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

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

export class Passwords {
  readonly #isFair: boolean;
  readonly #threads = new Piscina({
    filename: THREAD.href,
    minThreads: 1,
    maxThreads: RUNNING,
    workerData: PARAMETERS,
    // Keeps secrets out of the threads.
    env: {},
  });
  /** Two queues, so that a flood from unknown senders delays known ones by one turn. */
  readonly #queues: { known: FairQueue; unknown: FairQueue };
  #decoy = '';
  #pending = 0;

  /** @param isFair false for load tests from one address */
  static async create(metrics: Metrics, { isFair }: { isFair: boolean }): Promise<Passwords> {
    const passwords = new Passwords(metrics, isFair);
    passwords.#decoy = await passwords.hash('the password of nobody', { key: 'nobody', isKnown: true });
    return passwords;
  }

  private constructor(metrics: Metrics, isFair: boolean) {
    this.#isFair = isFair;
    const turns = createFairQueue({ ...QUEUE_LIMITS, waitingPerSender: RUNNING });
    const queueOf = (kind: string): FairQueue => {
      const queue = createFairQueue({ ...QUEUE_LIMITS, ...(isFair ? FAIR_LIMITS : { waitingPerSender: Infinity }) });
      return measureQueue((task, run) => queue(task, () => turns({ sender: kind }, run)), 'passwords', metrics);
    };
    this.#queues = { known: queueOf('known'), unknown: queueOf('strangers') };
  }

  /**
   * Runs on a worker thread.
   * @returns a salted PHC string
   * @throws {AppError} like `verify`
   */
  hash(password: string, sender: Sender): Promise<string> {
    return this.#enqueue(sender, () => this.#threads.run(password.normalize('NFC'), { name: 'hash' }));
  }

  /**
   * Hashes even without an account, so that timing does not reveal which exist.
   * @throws {AppError} `too_many_requests` if the sender has too many waiting; `unavailable` if the queue is full or
   * slow
   */
  async verify(passwordHash: string | undefined, password: string, sender: Sender): Promise<boolean> {
    const task = { passwordHash: passwordHash ?? this.#decoy, password: password.normalize('NFC') };
    const matches = await this.#enqueue<boolean>(sender, () => this.#threads.run(task, { name: 'verify' }));
    return passwordHash !== undefined && matches;
  }

  /** Counts a pending decision as waiting, or a flood would pass all limits before it queues. */
  async approach<Result>(decide: () => Promise<Result>): Promise<Result> {
    this.#pending += 1;
    try {
      return await decide();
    } finally {
      this.#pending -= 1;
    }
  }

  isCrowded(): boolean {
    return this.#isFair && this.#pending >= CROWD;
  }

  isOutdated(passwordHash: string): boolean {
    return !passwordHash.startsWith(CURRENT);
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }

  #enqueue<Result>({ key, isKnown }: Sender, run: () => Promise<Result>): Promise<Result> {
    return this.approach(() => this.#queues[isKnown ? 'known' : 'unknown']({ sender: key }, run));
  }
}
