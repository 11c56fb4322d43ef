import {
  retryOnDeadlock,
  ensureIndexes,
  isDuplicateKey,
  nextId,
  outboxIndex,
  type OutboxEntry,
  type Submission,
  type WithOutbox,
} from '@najwa/common';
import { usernameSkeleton, type ProfileFields } from '@najwa/proto/http';
import { Schema, type Connection, type mongo, type SchemaDefinitionProperty } from 'mongoose';

export interface UserRecord extends ProfileFields {
  id: number;
  username: string;
  passwordHash: string;
  /**
   * The time of the last password change, null before the first. A session is only valid for the password it began
   * with.
   */
  passwordChangedAt: Date | null;
  /** The session from which the password was last changed. It stays signed in. */
  keptSessionId: string | null;
  /** A contact address. It is not verified, and several accounts may have the same one. */
  email: string | null;
  /** The last path segment of the picture's URL. */
  avatarName: string | null;
  lastOnline: Date | null;
  visitorCount: number;
  createdAt: Date;
  isAdmin: boolean;
  isVerified: boolean;
  submission: Submission;
  /** Hashes of the devices that have signed in to the account. */
  knownDevices: string[];
}

type SetAtCreation = 'id' | 'createdAt' | 'username' | 'name' | 'passwordHash' | 'submission';

export type NewUser = Pick<UserRecord, Exclude<SetAtCreation, 'id' | 'createdAt'>> &
  Partial<Pick<UserRecord, 'bio' | 'email' | 'isAdmin' | 'isVerified'>>;

export type UserChanges = Partial<ProfileFields & Pick<UserRecord, 'avatarName' | 'email'>>;

/** The values of a new account. Documents from before a field existed read as if they had them. */
const DEFAULTS = {
  passwordChangedAt: null,
  keptSessionId: null,
  bio: '',
  gender: 'male',
  email: null,
  avatarName: null,
  lastOnline: null,
  visitorCount: 0,
  isAdmin: false,
  isVerified: false,
  knownDevices: [],
} satisfies Omit<UserRecord, SetAtCreation>;

interface UserDocument extends UserRecord, WithOutbox {
  usernameSkeleton: string;
}

const COLLECTION = 'users';
const MAX_KNOWN_DEVICES = 20;
const MAX_UPDATE_TRIES = 10;

/** `lastOnline` is written at most this often. */
const PRESENCE_RESOLUTION_MS = 30_000;

const schema = new Schema<UserDocument>(
  {
    id: Number,
    username: String,
    usernameSkeleton: String,
    passwordHash: String,
    passwordChangedAt: Date,
    keptSessionId: String,
    name: String,
    bio: String,
    gender: String,
    email: String,
    avatarName: String,
    lastOnline: Date,
    visitorCount: Number,
    createdAt: Date,
    isAdmin: Boolean,
    isVerified: Boolean,
    submission: { key: String, content: String },
    knownDevices: [String],
    outbox: [{ _id: false, id: String, at: Date, body: String }],
  } satisfies Record<Exclude<keyof UserDocument, 'deletedAt'>, SchemaDefinitionProperty>,
  { collection: COLLECTION, id: false, versionKey: false },
);

export interface UserRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  /** @returns the new account, `username_taken`, or the account that the same submission created before */
  insert(
    user: NewUser,
    eventOf: (id: number) => OutboxEntry,
  ): Promise<UserRecord | 'username_taken' | { submittedBefore: UserRecord }>;
  findById(id: number): Promise<UserRecord | null>;
  /** Ignores case. */
  findByUsername(username: string): Promise<UserRecord | null>;
  findByIds(ids: number[]): Promise<UserRecord[]>;
  /**
   * @param eventOf gets the account as it was just before
   * @returns the account after the change; null if there is none
   */
  update(id: number, changes: UserChanges, eventOf: (before: UserRecord) => OutboxEntry): Promise<UserRecord | null>;
  /**
   * Sets a new password and ends every session but one, in one write.
   * @param user as it was when its present password was verified
   * @returns false if the password has changed since then; nothing is written
   */
  changePassword(user: UserRecord, passwordHash: string, keptSessionId: string): Promise<boolean>;
  /** Stores another hash of the same password. Does nothing if the stored hash is no longer the verified one. */
  replaceHash(user: UserRecord, passwordHash: string): Promise<void>;
  /** Moves `lastOnline` forward. Skips accounts that were seen shortly before. */
  recordPresence(updates: { userId: number; at: Date }[]): Promise<void>;
  addVisits(userId: number, count: number): Promise<void>;
  /** Remembers a device and forgets the one known longest if there are too many. */
  rememberDevice(id: number, device: string): Promise<void>;
}

/** The unique indexes. */
type UniqueKey = { id: number } | { usernameSkeleton: string } | { 'submission.key': string };

const toRecord = (document: UserRecord): UserRecord => ({ ...DEFAULTS, ...document });

export function createUserRepository(connection: Connection): UserRepository {
  const model = connection.model('User', schema);

  const findOne = async (filter: UniqueKey): Promise<UserRecord | null> => {
    const found = await model.findOne(filter).lean<UserRecord>();
    return found && toRecord(found);
  };

  return {
    collection: model.collection,
    async prepare() {
      await ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { usernameSkeleton: 1 }, name: 'username_skeleton', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        outboxIndex,
      ]);
      // Databases from when an address could belong to one account only still have its unique index.
      if (await model.collection.indexExists('email_key')) await model.collection.dropIndex('email_key');
    },
    async insert(user, eventOf) {
      const id = await nextId(connection, COLLECTION);
      const record: UserRecord = { ...DEFAULTS, id, createdAt: new Date(), ...user };
      try {
        await retryOnDeadlock(() =>
          model.create({ ...record, usernameSkeleton: usernameSkeleton(user.username), outbox: [eventOf(id)] }),
        );
        return record;
      } catch (error) {
        // Servers do not say reliably which unique index refused, so look for the earlier submission first.
        if (!isDuplicateKey(error)) throw error;
        const submittedBefore = await findOne({ 'submission.key': user.submission.key });
        return submittedBefore ? { submittedBefore } : 'username_taken';
      }
    },
    findById: (id) => findOne({ id }),
    async findByUsername(username) {
      const user = await findOne({ usernameSkeleton: usernameSkeleton(username) });
      return user?.username.toLowerCase() === username.toLowerCase() ? user : null;
    },
    findByIds: async (ids) => (await model.find({ id: { $in: ids } }).lean<UserRecord[]>()).map(toRecord),
    async update(id, changes, eventOf) {
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries += 1) {
        const before = await findOne({ id });
        if (before === null) return null;
        // The event names the avatar from before, so the write requires that it has not changed since.
        const { modifiedCount } = await retryOnDeadlock(() =>
          model.updateOne({ id, avatarName: before.avatarName }, { $set: changes, $push: { outbox: eventOf(before) } }),
        );
        if (modifiedCount === 1) return { ...before, ...changes };
      }
      throw new Error('The account was changed concurrently on every attempt.');
    },
    async changePassword({ id, passwordChangedAt }, passwordHash, keptSessionId) {
      // Later than the last change even if this replica's clock is behind.
      const now = new Date(Math.max(Date.now(), (passwordChangedAt?.getTime() ?? 0) + 1));
      const { modifiedCount } = await model.updateOne(
        { id, passwordChangedAt },
        { $set: { passwordHash, passwordChangedAt: now, keptSessionId } },
      );
      return modifiedCount === 1;
    },
    async replaceHash({ id, passwordHash: verified }, passwordHash) {
      await model.updateOne({ id, passwordHash: verified }, { $set: { passwordHash } });
    },
    async recordPresence(updates) {
      if (updates.length === 0) return;
      await model.bulkWrite(
        updates.map(({ userId, at }) => ({
          updateOne: {
            filter: {
              id: userId,
              $or: [{ lastOnline: null }, { lastOnline: { $lt: new Date(at.getTime() - PRESENCE_RESOLUTION_MS) } }],
            },
            update: { $set: { lastOnline: at } },
          },
        })),
        { ordered: false },
      );
    },
    async addVisits(userId, count) {
      await model.updateOne({ id: userId }, { $inc: { visitorCount: count } });
    },
    async rememberDevice(id, device) {
      await model.updateOne(
        { id, knownDevices: { $ne: device } },
        { $push: { knownDevices: { $each: [device], $slice: -MAX_KNOWN_DEVICES } } },
      );
    },
  };
}
