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
import { Schema, type Connection, type mongo } from 'mongoose';
import { usernameSkeleton } from '../domain/usernames.js';

export interface UserRecord {
  id: number;
  username: string;
  name: string;
  passwordHash: string;
  bio: string;
  email: string | null;
  /** The last part of the address of the picture. */
  avatarName: string | null;
  gender: string;
  lastOnline: Date | null;
  visitorCount: number;
  createdAt: Date;
  isAdmin: boolean;
  isVerified: boolean;
  submission: Submission;
  /** Sessions that began before are over, but for the one from which the password was changed. */
  sessionsValidFrom: Date | null;
  keptSessionId: string | null;
  /** Hashes of the devices from which the account was signed in to. */
  knownDevices: string[];
}

export type NewUser = Pick<UserRecord, 'username' | 'name' | 'passwordHash' | 'bio' | 'submission'> &
  Partial<Pick<UserRecord, 'email' | 'isAdmin' | 'isVerified'>>;

export type UserChanges = Partial<
  Pick<
    UserRecord,
    'name' | 'bio' | 'gender' | 'avatarName' | 'email' | 'passwordHash' | 'sessionsValidFrom' | 'keptSessionId'
  >
>;

interface UserDocument extends UserRecord, WithOutbox {
  usernameSkeleton: string;
  /** The address where there is one, else something that no other account has: an index that is unique without exception works everywhere. */
  emailKey: string;
}

const COLLECTION = 'users';
const MAX_KNOWN_DEVICES = 20;
const MAX_UPDATE_TRIES = 10;

/** An account's presence is written at most this often. */
const SEEN_RESOLUTION_MS = 30_000;

const schema = new Schema<UserDocument>(
  {
    id: Number,
    username: String,
    usernameSkeleton: String,
    name: String,
    passwordHash: String,
    bio: String,
    email: String,
    avatarName: String,
    gender: String,
    lastOnline: Date,
    visitorCount: Number,
    createdAt: Date,
    isAdmin: Boolean,
    isVerified: Boolean,
    submission: { key: String, content: String },
    sessionsValidFrom: Date,
    keptSessionId: String,
    knownDevices: [String],
    emailKey: String,
    outbox: [{ _id: false, id: String, at: Date, body: String }],
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

export interface UserRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  /** @returns the new account, which of its names belongs to another or looks like it, or the account that this submission made before */
  insert(
    user: NewUser,
    eventOf: (id: number) => OutboxEntry,
  ): Promise<UserRecord | 'username_taken' | 'email_taken' | { submittedBefore: UserRecord }>;
  findById(id: number): Promise<UserRecord | null>;
  /** In any capitals. */
  findByUsername(username: string): Promise<UserRecord | null>;
  findByIds(ids: number[]): Promise<UserRecord[]>;
  /**
   * @param eventsOf gets the account as it was just before
   * @returns the account as it is after; null when there is none
   */
  update(
    id: number,
    changes: UserChanges,
    eventsOf: (before: UserRecord) => OutboxEntry[],
  ): Promise<UserRecord | 'email_taken' | null>;
  /** Moves when each account was last seen, those apart that were seen shortly before. */
  recordSightings(sightings: { userId: number; at: Date }[]): Promise<void>;
  addVisits(userId: number, count: number): Promise<void>;
  /** Remembers a device, and forgets the one longest known when there are too many. */
  rememberDevice(id: number, device: string): Promise<void>;
}

const emailKey = (id: number, email: string | null): string => (email === null ? `none ${id}` : `address ${email}`);

export function createUserRepository(connection: Connection): UserRepository {
  const model = connection.model('User', schema);

  return {
    collection: model.collection,
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { usernameSkeleton: 1 }, name: 'username_skeleton', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        { key: { emailKey: 1 }, name: 'email_key', unique: true },
        outboxIndex,
      ]),
    async insert(user, eventOf) {
      const id = await nextId(connection, COLLECTION);
      const record: UserRecord = {
        id,
        email: null,
        avatarName: null,
        gender: 'male',
        lastOnline: null,
        visitorCount: 0,
        createdAt: new Date(),
        isAdmin: false,
        isVerified: false,
        sessionsValidFrom: null,
        keptSessionId: null,
        knownDevices: [],
        ...user,
      };
      try {
        await retryOnDeadlock(() =>
          model.create({
            ...record,
            usernameSkeleton: usernameSkeleton(user.username),
            emailKey: emailKey(id, record.email),
            outbox: [eventOf(id)],
          }),
        );
        return record;
      } catch (error) {
        // Which of the indexes refused is not told reliably, so the earlier submission is looked for first.
        if (!isDuplicateKey(error)) throw error;
        const submittedBefore = await model.findOne({ 'submission.key': user.submission.key }).lean<UserRecord>();
        if (submittedBefore) return { submittedBefore };
        return (await model.exists({ usernameSkeleton: usernameSkeleton(user.username) }))
          ? 'username_taken'
          : 'email_taken';
      }
    },
    findById: (id) => model.findOne({ id }).lean<UserRecord>(),
    async findByUsername(username) {
      const user = await model.findOne({ usernameSkeleton: usernameSkeleton(username) }).lean<UserRecord>();
      return user?.username.toLowerCase() === username.toLowerCase() ? user : null;
    },
    findByIds: (ids) => model.find({ id: { $in: ids } }).lean<UserRecord[]>(),
    async update(id, changes, eventsOf) {
      const set = { ...changes, ...(changes.email !== undefined && { emailKey: emailKey(id, changes.email) }) };
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries += 1) {
        const before = await model.findOne({ id }).lean<UserRecord>();
        if (before === null) return null;
        try {
          // An event names the avatar that was there before: when another change came in between, it is decided again.
          const { modifiedCount } = await retryOnDeadlock(() =>
            model.updateOne(
              { id, avatarName: before.avatarName },
              { $set: set, $push: { outbox: { $each: eventsOf(before) } } },
            ),
          );
          if (modifiedCount === 1) return { ...before, ...changes };
        } catch (error) {
          if (isDuplicateKey(error)) return 'email_taken';
          throw error;
        }
      }
      throw new Error('An account was changed by others at every try.');
    },
    async recordSightings(sightings) {
      if (sightings.length === 0) return;
      await model.bulkWrite(
        sightings.map(({ userId, at }) => ({
          updateOne: {
            filter: {
              id: userId,
              $or: [{ lastOnline: null }, { lastOnline: { $lt: new Date(at.getTime() - SEEN_RESOLUTION_MS) } }],
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
