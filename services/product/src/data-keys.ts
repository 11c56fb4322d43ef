import { createHmac, randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { IN_BACKGROUND, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { Retention } from '@najwa/common/retention';
import { createSealer, decrypt, encrypt, sealingKeys } from '@najwa/common/sealing';
import type { SweepBounds } from '@najwa/common/service';

/** For services that store data about senders. */
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
  const sealer = createSealer(keys);
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

/**
 * Wrapped keys in the service's database: one per day, and a permanent one. Removing a day's key makes its secrets
 * unreadable in every later copy of the database.
 */
export interface DataKeys {
  /** Drawn at the first use. */
  permanentKey(): Promise<PermanentKey>;
  /**
   * Seals with the key of a day (UTC).
   * @param owner record of the secret
   * @param at selects the day
   * @returns day, dot, base64url; null if its retention is over
   */
  seal(secret: Buffer, owner: string, at: Date): Promise<string | null>;
  /** @returns null if the day's key was removed */
  open(sealed: string, owner: string): Promise<Buffer | null>;
  /** For a service with the same wrapping keys. Null as for `seal`. */
  sealEnvelope(secret: Buffer, owner: string, at: Date): Promise<Envelope | null>;
  /** Removes expired keys, and rewraps after a rotation. */
  sweep(now: Date): Promise<void>;
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
  bounds: SweepBounds;
}

export function createDataKeys({ connection, wrapper, retention, bounds }: DataKeysOptions): DataKeys {
  const collection = connection.collection<KeyDocument>(COLLECTION);
  const known = new Map<string, Promise<DataKey | null>>();
  let permanent: Promise<PermanentKey> | undefined;

  const read = async (name: string): Promise<DataKey | null> => {
    const found = await collection.findOne({ _id: name });
    return found && { key: await wrapper.unwrap(found.wrapped, name), wrapped: found.wrapped };
  };

  const draw = async (name: string): Promise<DataKey | null> => {
    const key = randomBytes(KEY_BYTES);
    const wrapped = await wrapper.wrap(key, name);
    try {
      await retryOnDeadlock(() => collection.insertOne({ _id: name, wrapped }));
      return { key, wrapped };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return read(name);
    }
  };

  /** Neither failures nor missing keys. */
  const remember = (name: string, load: () => Promise<DataKey | null>): Promise<DataKey | null> => {
    const earlier = known.get(name);
    if (earlier) return earlier;
    const loading = load();
    known.set(name, loading);
    const forget = (): boolean => known.delete(name);
    void loading.then((found) => found ?? forget(), forget);
    return loading;
  };

  const readOrDraw = (name: string): Promise<DataKey | null> =>
    remember(name, async () => (await read(name)) ?? draw(name));

  /** Null after its retention, even if cached. */
  const keyAt = async (at: Date): Promise<(DataKey & { day: string }) | null> => {
    if (retention.isOver(at, new Date())) return null;
    const day = dayOf(at);
    const found = await readOrDraw(day);
    return found && { ...found, day };
  };

  const loadPermanent = async (): Promise<PermanentKey> => {
    const found = await readOrDraw(PERMANENT);
    if (found === null) throw new Error('The permanent key was removed.');
    const derive = (purpose: string): Buffer => createHmac('sha256', found.key).update(purpose).digest();
    const [tagKey, sealKey] = [derive('tags'), derive('seals')];
    return {
      tag: (...parts) =>
        createHmac('sha256', tagKey).update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_LENGTH),
      seal: (secret, owner) => encrypt(sealKey, secret, owner),
      open: (sealed, owner) => decrypt(sealKey, sealed, owner),
    };
  };

  return {
    permanentKey: () =>
      (permanent ??= loadPermanent().catch((error: unknown) => {
        permanent = undefined;
        throw error;
      })),
    async seal(secret, owner, at) {
      const found = await keyAt(at);
      return found && `${found.day}.${encrypt(found.key, secret, owner)}`;
    },
    async open(sealed, owner) {
      const { day, text } = splitSealed(sealed);
      const found = await remember(day, () => read(day));
      return found && decrypt(found.key, text, owner);
    },
    async sealEnvelope(secret, owner, at) {
      const found = await keyAt(at);
      return found && { wrappedKey: found.wrapped, sealed: `${found.day}.${encrypt(found.key, secret, owner)}` };
    },
    async sweep(now) {
      const firstDay = dayOf(retention.cutoff(now));
      const over = { _id: { $ne: PERMANENT, $lt: firstDay } };
      const count = {
        due: (limit: number) => collection.countDocuments(over, { limit }),
        total: () => collection.countDocuments(),
      };
      if (await bounds.allows('data keys', count, now)) {
        for (const name of known.keys()) if (name !== PERMANENT && name < firstDay) known.delete(name);
        await collection.deleteMany(over, IN_BACKGROUND);
      }
      for (const { _id, wrapped } of await collection.find().toArray()) {
        if (wrapper.isCurrent(wrapped)) continue;
        const again = await wrapper.wrap(await wrapper.unwrap(wrapped, _id), _id);
        await collection.updateOne({ _id, wrapped }, { $set: { wrapped: again } });
        known.delete(_id);
      }
    },
  };
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
