import { createHmac, randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { IN_BACKGROUND, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { Retention } from '@najwa/common/retention';
import { decrypt, encrypt, Sealer, sealingKeys } from '@najwa/common/sealing';
import type { SweepBounds } from '@najwa/common/service';

export const senderEnvironment = {
  SENDER_KEYS: sealingKeys.describe(
    '32 random bytes in base64, which wrap the keys of senders. Several in a rotation.',
  ),
};

/** Envelope encryption by the environment's keys. A key management service would be another implementation. */
export interface KeyWrapper {
  /** @param name of the data key, required to unwrap */
  wrap(key: Buffer, name: string): Promise<string>;
  /** @throws without the wrapping key */
  unwrap(wrapped: string, name: string): Promise<Buffer>;
  /** False for a previous key, about to be removed. */
  isCurrent(wrapped: string): boolean;
}

/** @param keys the first wraps, all unwrap */
export function createEnvironmentKeyWrapper(keys: readonly Buffer[]): KeyWrapper {
  const sealer = new Sealer(keys);
  return {
    wrap: (key, name) => Promise.resolve(sealer.seal(key, `data key ${name}`)),
    unwrap: async (wrapped, name) => Promise.resolve(sealer.open(wrapped, `data key ${name}`)),
    isCurrent: (wrapped) => wrapped.startsWith(`${sealer.keyId}.`),
  };
}

/** Sealed for another service. */
export interface Envelope {
  wrappedKey: string;
  sealed: string;
}

/** Drawn once per database. */
export interface PermanentKey {
  /** HMAC of 132 bits, base64url. */
  tag(...parts: (string | number)[]): string;
  /** @param owner record of the secret */
  seal(secret: Buffer, owner: string): string;
  open(sealed: string, owner: string): Buffer;
}

interface KeyDocument {
  /** Such as `2026-11-22`, or `lasting`. */
  _id: string;
  wrapped: string;
}

interface DataKey {
  key: Buffer;
  wrapped: string;
}

const COLLECTION = 'data_keys';
const PERMANENT = 'lasting';
const KEY_BYTES = 32;
const TAG_LENGTH = 22;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

function splitSealed(sealed: string): { day: string; text: string } {
  const dot = sealed.indexOf('.');
  return { day: sealed.slice(0, dot), text: sealed.slice(dot + 1) };
}

const TRACE_BLOCK = 512;

/** Padded to blocks, so that the length does not identify a browser. */
export function traceToSeal(trace: object): Buffer {
  const text = JSON.stringify(trace);
  return Buffer.from(text.padEnd(Math.ceil(text.length / TRACE_BLOCK) * TRACE_BLOCK));
}

/** Binds a sealed trace to its message. */
export const traceOwner = (messageId: number): string => `trace of message ${messageId}`;

export interface DataKeysOptions {
  connection: Connection;
  wrapper: KeyWrapper;
  retention: Retention;
  bounds: Pick<SweepBounds, 'allows'>;
}

/**
 * Wrapped keys in the service's database: one per day, and a permanent one. Removing a day's key makes its secrets
 * unreadable in every later copy of the database.
 */
export class DataKeys {
  readonly #options;
  readonly #collection;
  readonly #known = new Map<string, Promise<DataKey | null>>();
  #permanent: Promise<PermanentKey> | undefined;

  constructor({ connection, ...options }: DataKeysOptions) {
    this.#options = options;
    this.#collection = connection.collection<KeyDocument>(COLLECTION);
  }

  /** Drawn at the first use. */
  permanentKey(): Promise<PermanentKey> {
    return (this.#permanent ??= this.#loadPermanent().catch((error: unknown) => {
      this.#permanent = undefined;
      throw error;
    }));
  }
  /**
   * Seals with the key of a day (UTC).
   * @param owner record of the secret
   * @param at selects the day
   * @returns day, dot, base64url; null if its retention is over
   */
  async seal(secret: Buffer, owner: string, at: Date): Promise<string | null> {
    return (await this.sealEnvelope(secret, owner, at))?.sealed ?? null;
  }
  /** @returns null if the day's key was removed */
  async open(sealed: string, owner: string): Promise<Buffer | null> {
    const { day, text } = splitSealed(sealed);
    const found = await this.#remember(day, () => this.#read(day));
    return found && decrypt(found.key, text, owner);
  }
  /** For a service with the same wrapping keys. Null as for `seal`. */
  async sealEnvelope(secret: Buffer, owner: string, at: Date): Promise<Envelope | null> {
    if (this.#options.retention.isOver(at, new Date())) return null;
    const day = dayOf(at);
    const found = await this.#readOrDraw(day);
    return found && { wrappedKey: found.wrapped, sealed: `${day}.${encrypt(found.key, secret, owner)}` };
  }
  /** Removes expired keys, and rewraps after a rotation. */
  async sweep(now: Date): Promise<void> {
    const { wrapper, retention, bounds } = this.#options;
    const firstDay = dayOf(retention.cutoff(now));
    const over = { _id: { $ne: PERMANENT, $lt: firstDay } };
    const count = {
      due: (limit: number) => this.#collection.countDocuments(over, { limit }),
      total: () => this.#collection.countDocuments(),
    };
    if (await bounds.allows('data keys', count, now)) {
      for (const name of this.#known.keys()) if (name !== PERMANENT && name < firstDay) this.#known.delete(name);
      await this.#collection.deleteMany(over, IN_BACKGROUND);
    }
    for (const { _id, wrapped } of await this.#collection.find().toArray()) {
      if (wrapper.isCurrent(wrapped)) continue;
      const again = await wrapper.wrap(await wrapper.unwrap(wrapped, _id), _id);
      await this.#collection.updateOne({ _id, wrapped }, { $set: { wrapped: again } });
      this.#known.delete(_id);
    }
  }

  async #loadPermanent(): Promise<PermanentKey> {
    const found = await this.#readOrDraw(PERMANENT);
    if (found === null) throw new Error('The permanent key was removed.');
    const derive = (purpose: string): Buffer => createHmac('sha256', found.key).update(purpose).digest();
    const [tagKey, sealKey] = [derive('tags'), derive('seals')];
    return {
      tag: (...parts) =>
        createHmac('sha256', tagKey).update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_LENGTH),
      seal: (secret, owner) => encrypt(sealKey, secret, owner),
      open: (sealed, owner) => decrypt(sealKey, sealed, owner),
    };
  }
  #readOrDraw(name: string): Promise<DataKey | null> {
    return this.#remember(name, async () => (await this.#read(name)) ?? this.#draw(name));
  }
  /** Neither failures nor missing keys. */
  #remember(name: string, load: () => Promise<DataKey | null>): Promise<DataKey | null> {
    const earlier = this.#known.get(name);
    if (earlier) return earlier;
    const loading = load();
    this.#known.set(name, loading);
    const forget = (): boolean => this.#known.delete(name);
    void loading.then((found) => found ?? forget(), forget);
    return loading;
  }
  async #read(name: string): Promise<DataKey | null> {
    const found = await this.#collection.findOne({ _id: name });
    return found && { key: await this.#options.wrapper.unwrap(found.wrapped, name), wrapped: found.wrapped };
  }
  async #draw(name: string): Promise<DataKey | null> {
    const key = randomBytes(KEY_BYTES);
    const wrapped = await this.#options.wrapper.wrap(key, name);
    try {
      await retryOnDeadlock(() => this.#collection.insertOne({ _id: name, wrapped }));
      return { key, wrapped };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return this.#read(name);
    }
  }
}

/** @returns throws without the wrapping key */
export function createEnvelopeOpener(wrapper: KeyWrapper): (envelope: Envelope, owner: string) => Promise<Buffer> {
  /** Spares a key management service a call per event. */
  const known = new Map<string, Promise<Buffer>>();
  const MAX_KNOWN = 100;

  const unwrap = (wrapped: string, day: string): Promise<Buffer> => {
    const earlier = known.get(wrapped);
    if (earlier) return earlier;
    if (known.size >= MAX_KNOWN) known.clear();
    const unwrapping = wrapper.unwrap(wrapped, day);
    known.set(wrapped, unwrapping);
    unwrapping.catch(() => known.delete(wrapped));
    return unwrapping;
  };

  return async ({ wrappedKey, sealed }, owner) => {
    const { day, text } = splitSealed(sealed);
    return decrypt(await unwrap(wrappedKey, day), text, owner);
  };
}
