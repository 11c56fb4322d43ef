import { ledgerEntry, outboxIndex, type OutboxEntry, type WithOutbox } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { Submission } from '@najwa/common/limits';
import { retryOnDeadlock, ensureIndexes, isDuplicateKey, nextId } from '@najwa/common/mongo';
import {
  ageStepOf,
  isNameInLink,
  LIMITS,
  PROFILE_DEFAULTS,
  profileFields,
  RECEIVING_DEFAULTS,
  usernameSkeleton,
  type ProfileFields,
  type ReceivingSettings,
} from '@najwa/proto/http';
import {
  Schema,
  type Connection,
  type Model,
  type mongo,
  type QueryFilter,
  type SchemaDefinitionProperty,
  type UpdateQuery,
} from 'mongoose';

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
const LAST_PROMPT = `prompts.${LIMITS.prompts - 1}`;

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
    receiving: {
      from: String,
      minimumDays: Number,
      notice: String,
      presence: String,
      readReceipts: Boolean,
      conversations: Boolean,
    },
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

/** @returns false, without a write, if the account differs from the filter */
export async function changeUser(
  model: Model<UserDocument>,
  filter: QueryFilter<UserDocument>,
  update: UpdateQuery<UserDocument>,
): Promise<boolean> {
  const { modifiedCount } = await retryOnDeadlock(() => model.updateOne(filter, update));
  return modifiedCount === 1;
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

const notErased = { erasure: null };

export class UserRepository {
  readonly collection: mongo.Collection;
  readonly #model;

  constructor(connection: Connection) {
    this.#model = userModel(connection);
    this.collection = this.#model.collection;
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { id: 1 }, name: 'id', unique: true },
      { key: { usernameSkeleton: 1 }, name: 'username_skeleton', unique: true },
      { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
      { key: { knownDevices: 1 }, name: 'known_devices' },
      { key: { deletesAt: 1 }, name: 'deletes_at' },
      { key: { avatarName: 1 }, name: 'avatar_name' },
      { key: { hasInvalidSessions: 1 }, name: 'invalid_sessions', sparse: true },
      { key: { 'erasure.announcedAt': 1 }, name: 'erasure', sparse: true },
      outboxIndex,
    ]);
  }
  /** @returns the new account, `username_taken`, or the account of the same submission */
  async insert(
    user: NewUser,
    eventOf: (id: number) => OutboxEntry,
  ): Promise<UserRecord | 'username_taken' | { submittedBefore: UserRecord }> {
    const id = await nextId(this.#model.db, COLLECTION);
    const record: UserRecord = { ...DEFAULTS, id, createdAt: new Date(), ...user };
    try {
      await retryOnDeadlock(() =>
        this.#model.create({ ...record, usernameSkeleton: usernameSkeleton(user.username), outbox: [eventOf(id)] }),
      );
      return record;
    } catch (error) {
      // Servers do not reliably name the violated index, so check the submission first.
      if (!isDuplicateKey(error)) throw error;
      const submittedBefore = await this.#findOne({ 'submission.key': user.submission.key });
      return submittedBefore ? { submittedBefore } : 'username_taken';
    }
  }
  findById(id: number): Promise<UserRecord | null> {
    return this.#findOne({ id });
  }
  async findByUsername(username: string): Promise<UserRecord | null> {
    const user = await this.#findOne({ usernameSkeleton: usernameSkeleton(username) });
    return user?.username.toLowerCase() === username.toLowerCase() ? user : null;
  }
  /** Also ignores dots at the ends. Not for sign-in: limits count by the given name. */
  async findByLink(username: string): Promise<UserRecord | null> {
    if (!/^[\w.-]+$/.test(username)) return null;
    const user = await this.#findOne({ usernameSkeleton: usernameSkeleton(username) });
    return user !== null && isNameInLink(username, user.username) ? user : null;
  }
  async findByIds(ids: number[]): Promise<UserRecord[]> {
    return (await this.#model.find({ id: { $in: ids }, ...notErased }).lean<UserRecord[]>()).map(toRecord);
  }
  async findAvatars(names: readonly string[]): Promise<string[]> {
    const found = await this.#model
      .find({ avatarName: { $in: [...names] } }, { avatarName: 1 })
      .lean<Pick<UserRecord, 'avatarName'>[]>();
    return found.flatMap(({ avatarName }) => avatarName ?? []);
  }
  /** @returns null if there is none */
  async update(
    id: number,
    changes: UserChanges,
    eventOf: (before: UserRecord, after: UserRecord) => OutboxEntry,
  ): Promise<UserRecord | null> {
    for (let tries = 0; tries < MAX_UPDATE_TRIES; tries += 1) {
      const before = await this.#findOne({ id });
      if (before === null) return null;
      const after = withChanges(before, changes);
      // The event names the previous avatar.
      const outbox = { $each: [eventOf(before, after), ...protectionIn(before, after)] };
      const filter = { id, avatarName: before.avatarName, ...notErased };
      if (await changeUser(this.#model, filter, { $set: toUpdate(changes), $push: { outbox } })) return after;
    }
    throw new AppError({
      code: 'unavailable',
      message: 'The account is being changed by others. Try again shortly.',
      retryAfter: 1,
    });
  }
  /** @returns false, without a write, if the text exists or the account is full */
  addPrompt(userId: number, prompt: PromptRecord, event: OutboxEntry): Promise<boolean> {
    const hasRoom = { [LAST_PROMPT]: { $exists: false }, 'prompts.content': { $ne: prompt.content } };
    const change = { $push: { prompts: prompt, outbox: event } };
    return changeUser(this.#model, { id: userId, ...hasRoom, ...notErased }, change);
  }
  removePrompt(userId: number, id: number, event: OutboxEntry): Promise<boolean> {
    const change = { $pull: { prompts: { id } }, $push: { outbox: event } };
    return changeUser(this.#model, { id: userId, 'prompts.id': id, ...notErased }, change);
  }
  async recordPresence(changes: PresenceChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#model.bulkWrite(
      changes.map(({ id, before, ...set }) => ({
        updateOne: { filter: { id, lastOnline: before }, update: { $set: set } },
      })),
      { ordered: false },
    );
  }
  async showPresence(id: number, at: Date): Promise<void> {
    await changeUser(this.#model, { id, ...notErased }, { $max: { lastOnline: at, shownOnline: at } });
  }
  /** @returns the totals; null if there is no account */
  async addVisits(userId: number, count: number): Promise<Pick<UserRecord, 'visitorCount' | 'announcedVisits'> | null> {
    const found = await this.#model
      .findOneAndUpdate({ id: userId }, { $inc: { visitorCount: count } }, { returnDocument: 'after' })
      .lean<UserRecord>();
    return found && toRecord(found);
  }
  async announceVisits(userId: number, visits: number, event: OutboxEntry): Promise<void> {
    const change = { $set: { announcedVisits: visits }, $push: { outbox: event } };
    await changeUser(this.#model, { id: userId, announcedVisits: { $not: { $gte: visits } } }, change);
  }

  async #findOne(filter: UniqueKey): Promise<UserRecord | null> {
    const found = await this.#model.findOne({ ...filter, ...notErased }).lean<UserRecord>();
    return found && toRecord(found);
  }
}
