import { ledgerEntry, outboxIndex, type OutboxEntry, type WithOutbox } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { Submission } from '@najwa/common/limits';
import { retryOnDeadlock, ensureIndexes, isDuplicateKey, nextId } from '@najwa/common/mongo';
import {
  ageStepOf,
  isNameInLink,
  PROFILE_DEFAULTS,
  profileFields,
  RECEIVING_DEFAULTS,
  usernameSkeleton,
  type ProfileFields,
  type ReceivingSettings,
} from '@najwa/proto/http';
import { Schema, type Connection, type Model, type mongo, type SchemaDefinitionProperty } from 'mongoose';

export interface Recovery {
  /** HMAC key of the hashes, sealed. */
  key: string;
  hashes: string[];
}

export interface Totp {
  /** Sealed. */
  secret: string;
  /** Only later time steps are accepted. */
  lastStep: number;
  since: Date;
}

export interface PromptRecord {
  id: number;
  content: string;
  createdAt: Date;
}

export interface UserRecord extends ProfileFields {
  id: number;
  username: string;
  passwordHash: string;
  /** Null before the first change. Sessions are valid only for the password they began with. */
  passwordChangedAt: Date | null;
  /** The session that changed the password stays valid. */
  keptSessionId: string | null;
  /** Neither verified nor unique. */
  email: string | null;
  /** Last path segment of the URL. */
  avatarName: string | null;
  /** Last own page read or sign-in. */
  lastOnline: Date | null;
  /** Shown to others until the step of `lastOnline` ends (decision 0013). */
  shownOnline: Date | null;
  visitorCount: number;
  /** Highest milestone announced. */
  announcedVisits: number;
  createdAt: Date;
  isAdmin: boolean;
  /** Handles reports, without other administrator rights. */
  isModerator: boolean;
  isVerified: boolean;
  submission: Submission;
  /** Hashes of devices that have signed in. */
  knownDevices: string[];
  recovery: Recovery | null;
  totp: Totp | null;
  /** Sealed secret during setup. */
  pendingTotp: string | null;
  receiving: ReceivingSettings;
  /** Oldest first. */
  prompts: PromptRecord[];
  deletesAt: Date | null;
}

/** Remains of a deleted account until every service has erased its part. */
export interface Erasure {
  /** Time of the last `account.deleted`. */
  announcedAt: Date;
  /** Services pending. */
  waiting: string[];
  avatarName: string | null;
}

/** A change by which an account is protected. A restore must not undo it. */
export type ProtectionChange =
  | { receiving: Pick<ReceivingSettings, 'from' | 'minimumDays' | 'presence'> }
  /** Codes that replace all earlier ones. */
  | { recovery: Recovery }
  /** The hash of a recovery code that was used. */
  | { spentHash: string };

/** For the ledger alone. */
export const protectionEntry = (userId: number, change: ProtectionChange): OutboxEntry =>
  ledgerEntry({ userId, ...change });

type SetAtCreation = 'id' | 'createdAt' | 'username' | 'name' | 'passwordHash' | 'submission';

export type NewUser = Pick<UserRecord, Exclude<SetAtCreation, 'id' | 'createdAt'>> &
  Partial<Pick<UserRecord, 'bio' | 'email' | 'isAdmin' | 'isModerator' | 'isVerified'>>;

export type UserChanges = Partial<ProfileFields & Pick<UserRecord, 'avatarName' | 'email'>> & {
  receiving?: Partial<ReceivingSettings>;
};

/** Also fill in fields that a document lacks. */
export const DEFAULTS = {
  ...PROFILE_DEFAULTS.public,
  ...PROFILE_DEFAULTS.own,
  passwordChangedAt: null,
  keptSessionId: null,
  email: null,
  avatarName: null,
  lastOnline: null,
  shownOnline: null,
  visitorCount: 0,
  announcedVisits: 0,
  isAdmin: false,
  isModerator: false,
  isVerified: false,
  knownDevices: [],
  recovery: null,
  totp: null,
  pendingTotp: null,
  receiving: RECEIVING_DEFAULTS,
  prompts: [],
  deletesAt: null,
} satisfies Omit<UserRecord, SetAtCreation>;

export type PresenceChange = Pick<UserRecord, 'id' | 'lastOnline' | 'shownOnline'> & { before: Date | null };

export interface UserDocument extends UserRecord, WithOutbox {
  usernameSkeleton: string;
  /** Set until sessions invalidated by a password change have ended. */
  hasInvalidSessions?: true;
  /** Missing unless being erased. */
  erasure?: Erasure;
}

const COLLECTION = 'users';
const MAX_UPDATE_TRIES = 10;

const profileSchema = Object.fromEntries(Object.keys(profileFields).map((name) => [name, String])) as Record<
  keyof ProfileFields,
  StringConstructor
>;

const userSchema = new Schema<UserDocument>(
  {
    ...profileSchema,
    id: Number,
    username: String,
    usernameSkeleton: String,
    passwordHash: String,
    passwordChangedAt: Date,
    keptSessionId: String,
    hasInvalidSessions: Boolean,
    email: String,
    avatarName: String,
    lastOnline: Date,
    shownOnline: Date,
    visitorCount: Number,
    announcedVisits: Number,
    createdAt: Date,
    isAdmin: Boolean,
    isModerator: Boolean,
    isVerified: Boolean,
    submission: { key: String, content: String },
    knownDevices: [String],
    recovery: { type: { key: String, hashes: [String] }, _id: false },
    totp: { type: { secret: String, lastStep: Number, since: Date }, _id: false },
    pendingTotp: String,
    receiving: { from: String, minimumDays: Number, notice: String, presence: String, readReceipts: Boolean },
    prompts: {
      type: [new Schema<PromptRecord>({ id: Number, content: String, createdAt: Date }, { _id: false, id: false })],
      default: undefined,
    },
    deletesAt: Date,
    erasure: {
      type: new Schema<Erasure>({ announcedAt: Date, waiting: [String], avatarName: String }, { _id: false }),
      default: undefined,
    },
    outbox: [{ _id: false, id: String, at: Date, body: String, ledger: {} }],
  } satisfies Record<Exclude<keyof UserDocument, 'deletedAt'>, SchemaDefinitionProperty>,
  { collection: COLLECTION, id: false, versionKey: false },
);

export const STORED_FIELDS: readonly string[] = [
  ...new Set(Object.keys(userSchema.paths).map((path) => path.replace(/\..*/, ''))),
];

export const userModel = (connection: Connection): Model<UserDocument> => connection.model('User', userSchema);

export interface UserRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  /** @returns the new account, `username_taken`, or the account of the same submission */
  insert(
    user: NewUser,
    eventOf: (id: number) => OutboxEntry,
  ): Promise<UserRecord | 'username_taken' | { submittedBefore: UserRecord }>;
  findById(id: number): Promise<UserRecord | null>;
  findByUsername(username: string): Promise<UserRecord | null>;
  /** Also ignores dots at the ends. Not for sign-in: limits count by the given name. */
  findByLink(username: string): Promise<UserRecord | null>;
  findByIds(ids: number[]): Promise<UserRecord[]>;
  findAvatars(names: readonly string[]): Promise<string[]>;
  /** @returns null if there is none */
  update(
    id: number,
    changes: UserChanges,
    eventOf: (before: UserRecord, after: UserRecord) => OutboxEntry,
  ): Promise<UserRecord | null>;
  recordPresence(changes: PresenceChange[]): Promise<void>;
  showPresence(id: number, at: Date): Promise<void>;
  /** @returns the totals; null if there is no account */
  addVisits(userId: number, count: number): Promise<Pick<UserRecord, 'visitorCount' | 'announcedVisits'> | null>;
  announceVisits(userId: number, visits: number, event: OutboxEntry): Promise<void>;
}

type UniqueKey = { id: number } | { usernameSkeleton: string } | { 'submission.key': string };

const toRecord = (document: UserRecord): UserRecord => withChanges({ ...DEFAULTS, ...document }, document);

/** Per field, so that concurrent changes of `receiving` merge. */
const withChanges = (user: UserRecord, { receiving, ...changes }: UserChanges): UserRecord => {
  const chosen = { ...RECEIVING_DEFAULTS, ...user.receiving, ...receiving };
  return { ...user, ...changes, receiving: { ...chosen, minimumDays: ageStepOf(chosen.minimumDays) } };
};

const toUpdate = ({ receiving = {}, ...changes }: UserChanges): Record<string, unknown> => ({
  ...changes,
  ...Object.fromEntries(Object.entries(receiving).map(([name, value]) => [`receiving.${name}`, value])),
});

/** The entry of a change of who may write, or of who sees its presence. */
function protectionIn({ receiving: before }: UserRecord, { id, receiving: after }: UserRecord): OutboxEntry[] {
  const { from, minimumDays, presence } = after;
  const isSame = from === before.from && minimumDays === before.minimumDays && presence === before.presence;
  return isSame ? [] : [protectionEntry(id, { receiving: { from, minimumDays, presence } })];
}

export function createUserRepository(connection: Connection): UserRepository {
  const model = userModel(connection);
  const notErased = { erasure: null };

  const findOne = async (filter: UniqueKey): Promise<UserRecord | null> => {
    const found = await model.findOne({ ...filter, ...notErased }).lean<UserRecord>();
    return found && toRecord(found);
  };

  return {
    collection: model.collection,
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { usernameSkeleton: 1 }, name: 'username_skeleton', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        { key: { knownDevices: 1 }, name: 'known_devices' },
        { key: { deletesAt: 1 }, name: 'deletes_at' },
        { key: { avatarName: 1 }, name: 'avatar_name' },
        { key: { hasInvalidSessions: 1 }, name: 'invalid_sessions', sparse: true },
        { key: { 'erasure.announcedAt': 1 }, name: 'erasure', sparse: true },
        outboxIndex,
      ]),
    async insert(user, eventOf) {
      const id = await nextId(connection, COLLECTION);
      const record: UserRecord = { ...DEFAULTS, id, createdAt: new Date(), ...user };
      try {
        await retryOnDeadlock(() =>
          model.create({ ...record, usernameSkeleton: usernameSkeleton(user.username), outbox: [eventOf(id)] }),
        );
        return record;
      } catch (error) {
        // Servers do not reliably name the violated index, so check the submission first.
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
    async findByLink(username) {
      if (!/^[\w.-]+$/.test(username)) return null;
      const user = await findOne({ usernameSkeleton: usernameSkeleton(username) });
      return user !== null && isNameInLink(username, user.username) ? user : null;
    },
    findByIds: async (ids) => (await model.find({ id: { $in: ids }, ...notErased }).lean<UserRecord[]>()).map(toRecord),
    async findAvatars(names) {
      const found = await model
        .find({ avatarName: { $in: [...names] } }, { avatarName: 1 })
        .lean<Pick<UserRecord, 'avatarName'>[]>();
      return found.flatMap(({ avatarName }) => avatarName ?? []);
    },
    async update(id, changes, eventOf) {
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries += 1) {
        const before = await findOne({ id });
        if (before === null) return null;
        const after = withChanges(before, changes);
        // The event names the previous avatar.
        const { modifiedCount } = await retryOnDeadlock(() =>
          model.updateOne(
            { id, avatarName: before.avatarName, ...notErased },
            {
              $set: toUpdate(changes),
              $push: { outbox: { $each: [eventOf(before, after), ...protectionIn(before, after)] } },
            },
          ),
        );
        if (modifiedCount === 1) return after;
      }
      throw new AppError({
        code: 'unavailable',
        message: 'The account is being changed by others. Try again shortly.',
        retryAfter: 1,
      });
    },
    async recordPresence(changes) {
      if (changes.length === 0) return;
      await model.bulkWrite(
        changes.map(({ id, before, ...set }) => ({
          updateOne: { filter: { id, lastOnline: before }, update: { $set: set } },
        })),
        { ordered: false },
      );
    },
    async showPresence(id, at) {
      await retryOnDeadlock(() => model.updateOne({ id, ...notErased }, { $max: { lastOnline: at, shownOnline: at } }));
    },
    async addVisits(userId, count) {
      const found = await model
        .findOneAndUpdate({ id: userId }, { $inc: { visitorCount: count } }, { returnDocument: 'after' })
        .lean<UserRecord>();
      return found && toRecord(found);
    },
    async announceVisits(userId, visits, event) {
      await retryOnDeadlock(() =>
        model.updateOne(
          { id: userId, announcedVisits: { $not: { $gte: visits } } },
          { $set: { announcedVisits: visits }, $push: { outbox: event } },
        ),
      );
    },
  };
}
