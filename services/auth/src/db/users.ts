import { ensureIndexes, isDuplicateKey, nextId, outboxIndex, type OutboxEntry, type Submission, type WithOutbox } from '@najwa/common';
import { Schema, type Connection, type mongo } from 'mongoose';
import { usernameSkeleton } from '../domain/usernames.js';

export interface UserRecord {
  id: number;
  username: string;
  name: string;
  passwordHash: string;
  bio: string;
  email: string | null;
  avatar: string | null;
  gender: string;
  lastOnline: Date | null;
  visitorCount: number;
  createdAt: Date;
  isAdmin: boolean;
  isVerified: boolean;
  submission: Submission;
}

export type NewUser = Pick<UserRecord, 'username' | 'name' | 'passwordHash' | 'bio' | 'submission'>;

interface UserDocument extends UserRecord, WithOutbox {
  usernameSkeleton: string;
}

const COLLECTION = 'users';
const SKELETON_INDEX = 'username_skeleton';
const SUBMISSION_INDEX = 'submission_key';

const schema = new Schema<UserDocument>(
  {
    id: Number,
    username: String,
    usernameSkeleton: String,
    name: String,
    passwordHash: String,
    bio: String,
    email: String,
    avatar: String,
    gender: String,
    lastOnline: Date,
    visitorCount: Number,
    createdAt: Date,
    isAdmin: Boolean,
    isVerified: Boolean,
    submission: { key: String, content: String },
    outbox: [{ _id: false, id: String, at: Date, body: String }],
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

export interface UserRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  /** @returns the new account, `taken` when the username looks like another's, or the account that this submission made before */
  insert(user: NewUser, eventOf: (id: number) => OutboxEntry): Promise<UserRecord | 'taken' | { submittedBefore: UserRecord }>;
  findById(id: number): Promise<UserRecord | null>;
  /** In any capitals. */
  findByUsername(username: string): Promise<UserRecord | null>;
  findByIds(ids: number[]): Promise<UserRecord[]>;
}

export function createUserRepository(connection: Connection): UserRepository {
  const model = connection.model('User', schema);

  return {
    collection: model.collection,
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { usernameSkeleton: 1 }, name: SKELETON_INDEX, unique: true },
        { key: { 'submission.key': 1 }, name: SUBMISSION_INDEX, unique: true },
        outboxIndex,
      ]),
    async insert(user, eventOf) {
      const id = await nextId(connection, COLLECTION);
      const record: UserRecord = {
        ...user,
        id,
        email: null,
        avatar: null,
        gender: 'male',
        lastOnline: null,
        visitorCount: 0,
        createdAt: new Date(),
        isAdmin: false,
        isVerified: false,
      };
      try {
        await model.create({ ...record, usernameSkeleton: usernameSkeleton(user.username), outbox: [eventOf(id)] });
        return record;
      } catch (error) {
        // Which of the two indexes refused is not told reliably, so the earlier submission is looked for first.
        if (!isDuplicateKey(error)) throw error;
        const submittedBefore = await model.findOne({ 'submission.key': user.submission.key }).lean<UserRecord>();
        return submittedBefore ? { submittedBefore } : 'taken';
      }
    },
    findById: (id) => model.findOne({ id }).lean<UserRecord>(),
    async findByUsername(username) {
      const user = await model.findOne({ usernameSkeleton: usernameSkeleton(username) }).lean<UserRecord>();
      return user?.username.toLowerCase() === username.toLowerCase() ? user : null;
    },
    findByIds: (ids) => model.find({ id: { $in: ids } }).lean<UserRecord[]>(),
  };
}
