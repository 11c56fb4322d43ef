import { isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { mongo } from 'mongoose';

// Every kind of index, update and query that services use. A test fails if one is missing here.

export interface Sample extends mongo.Document {
  id: number;
  key: string;
}

export type Samples = mongo.Collection<Sample>;

const YEAR_MS = 365 * 24 * 3600_000;
const START = Date.UTC(2026, 0, 1);

/** Resembles a message, with sparse fields. */
export const sampleOf = (id: number): Sample => ({
  id,
  key: `key ${id}`,
  userId: id % 10,
  isRead: id % 2 === 0,
  createdAt: new Date(START + id * 3600_000),
  expiresAt: new Date(Date.now() + YEAR_MS),
  deletedAt: null,
  content: `نص رسالة ${id}`.repeat(10),
  words: [`word${id % 50}`, `سلام${id % 7}`, `نجوى`],
  submission: { key: `submission ${id}` },
  entries: [
    { id: 1, reason: 'spam' },
    { id: 2, reason: 'threat' },
  ],
  counter: 0,
  ...(id % 10 === 0 && {
    outbox: [{ id: `event ${id}`, at: new Date(START) }],
    aside: { at: new Date(START) },
    conversation: { id, turn: 1 },
  }),
});

export const INDEX_KINDS: Readonly<Record<string, mongo.IndexDescription>> = {
  'one field': { key: { createdAt: 1 } },
  unique: { key: { id: -1 }, unique: true },
  'unique in a subdocument': { key: { 'submission.key': 1 }, unique: true },
  'several fields': { key: { userId: 1, isRead: 1, id: -1 } },
  'words of a text': { key: { userId: 1, words: 1, id: -1 } },
  'fields that few documents have': { key: { 'outbox.at': 1 }, sparse: true },
  'unique where few documents have it': {
    key: { 'conversation.id': 1, 'conversation.turn': 1 },
    unique: true,
    sparse: true,
  },
  'time to live': { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  'chosen fields of many': { key: { '$**': 1 }, wildcardProjection: { 'aside.at': 1, 'outbox.at': 1, deletedAt: 1 } },
};

/** @returns whether the server behaved as expected */
export type Kind = (samples: Samples) => Promise<boolean>;

const isRefused = (write: Promise<unknown>): Promise<boolean> =>
  write.then(
    () => false,
    (error: unknown) => {
      if (isDuplicateKey(error)) return true;
      throw error;
    },
  );

const is = (found: unknown, expected: unknown): boolean => JSON.stringify(found) === JSON.stringify(expected);

const changes =
  (update: mongo.UpdateFilter<Sample>, field: string, expected: unknown): Kind =>
  async (samples) => {
    await samples.updateOne({ id: 1 }, update);
    return is((await samples.findOne({ id: 1 }))?.[field] ?? null, expected);
  };

const WRITERS = 50;

/** Ordered: each depends on those before it. */
export const UPDATE_KINDS: Readonly<Record<string, Kind>> = {
  $set: changes({ $set: { 'audio.status': 'stored' } }, 'audio', { status: 'stored' }),
  $unset: changes({ $unset: { audio: 1 } }, 'audio', null),
  $max: changes({ $max: { counter: 5 } }, 'counter', 5),
  '$push with $each': changes({ $push: { list: { $each: ['a', 'b', 'c'] } } as never }, 'list', ['a', 'b', 'c']),
  '$push with $slice': changes({ $push: { list: { $each: ['d'], $slice: -3 } } as never }, 'list', ['b', 'c', 'd']),
  $addToSet: changes({ $addToSet: { list: { $each: ['d', 'e'] } } }, 'list', ['b', 'c', 'd', 'e']),
  '$pull and $inc': changes({ $pull: { list: 'b' } as never, $inc: { counter: 1 } }, 'list', ['c', 'd', 'e']),
  '$pull of several': changes({ $pull: { list: { $in: ['c', 'd'] } } as never }, 'list', ['e']),
  '$pull by a condition': changes({ $pull: { entries: { id: { $lt: 2 } } } as never }, 'entries', [
    { id: 2, reason: 'threat' },
  ]),
  'a write of the state that was read': async (samples) =>
    is((await samples.updateOne({ id: 1, counter: 5 }, { $set: { counter: 9 } })).matchedCount, 0),
  upsert: async (samples) => {
    const filter = { id: -1, counter: { $lte: 0 } };
    const upsert = { $inc: { counter: 1 }, $setOnInsert: { key: 'upserted' } };
    const { upsertedCount } = await samples.updateOne(filter, upsert, { upsert: true });
    return upsertedCount === 1 && isRefused(samples.updateOne(filter, upsert, { upsert: true }));
  },
  'refusing a second document': (samples) => isRefused(samples.insertOne(sampleOf(1))),
  'a bulk of which one is refused': async (samples) => {
    const refused = await isRefused(samples.insertMany([sampleOf(1), sampleOf(-2)], { ordered: false }));
    return refused && (await samples.findOne({ id: -2 })) !== null;
  },
  'different writes in a bulk': async (samples) => {
    const { insertedCount, modifiedCount } = await samples.bulkWrite(
      [
        { insertOne: { document: sampleOf(-3) } },
        { updateOne: { filter: { id: 1 }, update: { $set: { key: 'changed' } } } },
        { replaceOne: { filter: { id: -2 }, replacement: { id: -2, key: 'replaced' } } },
      ],
      { ordered: false },
    );
    return insertedCount === 1 && modifiedCount === 2;
  },
  replaceOne: async (samples) => {
    await samples.replaceOne({ id: -4 }, { id: -4, key: 'new' }, { upsert: true });
    return (await samples.findOne({ id: -4 }))?.key === 'new';
  },
  'findOneAndUpdate, before': async (samples) => {
    const options = { sort: { id: 1 }, returnDocument: 'before', projection: { _id: 0, key: 1 } } as const;
    return is(await samples.findOneAndUpdate({ id: { $lt: 0 } }, { $set: { key: 'taken' } }, options), { key: 'new' });
  },
  findOneAndReplace: async (samples) => {
    await samples.findOneAndReplace({ id: -4 }, { id: -4, key: 'again' }, { upsert: true });
    return (await samples.findOne({ id: -4 }))?.key === 'again';
  },
  findOneAndDelete: async (samples) => (await samples.findOneAndDelete({ id: -4 }))?.key === 'again',
  'an upsert by a pipeline': async (samples) => {
    const next = { $cond: [{ $gt: ['$counter', 0] }, { $add: ['$counter', 1] }, 1] };
    const options = { upsert: true, returnDocument: 'after' } as const;
    const count = () => samples.findOneAndUpdate({ id: -5 }, [{ $set: { counter: next } }], options);
    return is([(await count())?.['counter'], (await count())?.['counter']], [1, 2]);
  },
  updateMany: async (samples) =>
    (await samples.updateMany({ id: { $gte: 1, $lte: 5 } }, { $set: { isRead: true } })).matchedCount === 5,
  deleteOne: async (samples) => (await samples.deleteOne({ id: -1 })).deletedCount === 1,
  deleteMany: async (samples) => (await samples.deleteMany({ id: { $lt: 0 } })).deletedCount === 3,
  'counting by fifty writers at once': async (samples) => {
    const count = (): Promise<Sample | null> =>
      samples.findOneAndUpdate({ id: 2 }, { $inc: { counter: 1 } }, { returnDocument: 'after' });
    const values = await Promise.all(Array.from({ length: WRITERS }, () => retryOnDeadlock(count)));
    return new Set(values.map((value) => value?.['counter'] as number)).size === WRITERS;
  },
};

/** Among documents 1 to 1,000. */
const finds =
  (filter: mongo.Filter<Sample>, expected: number): Kind =>
  async (samples) =>
    (await samples.countDocuments(filter)) === expected;

const lists =
  (filter: mongo.Filter<Sample>, options: mongo.FindOptions, expected: number[]): Kind =>
  async (samples) =>
    is(
      (await samples.find(filter, { limit: 2, ...options }).toArray()).map(({ id }) => id),
      expected,
    );

const BY_USER = { userId: 1, id: -1 } as const;
const MONTH = {
  $dateToString: { date: { $ifNull: ['$sentAt', '$createdAt'] }, format: '%Y-%m', timezone: 'Asia/Riyadh' },
};

export const QUERY_KINDS: Readonly<Record<string, Kind>> = {
  $in: finds({ id: { $in: [1, 2, 5000] } }, 2),
  $nin: finds({ userId: { $nin: [1, 2] } }, 800),
  $ne: finds({ 'aside.at': { $ne: null } }, 100),
  'a range': finds({ id: { $gt: 10, $lte: 20 } }, 10),
  'a range of times': finds({ createdAt: { $gte: new Date(START), $lt: new Date(START + 10 * 3600_000) } }, 9),
  'null for what is missing': finds({ aside: null, deletedAt: null }, 900),
  $exists: finds({ 'outbox.0': { $exists: true } }, 100),
  $size: finds({ entries: { $size: 1 } }, 1),
  'a value in an array': finds({ words: 'word7' }, 20),
  $elemMatch: finds({ entries: { $elemMatch: { id: { $gte: 1, $lt: 2 }, reason: 'spam' } } }, 999),
  $or: finds({ $or: [{ id: 1 }, { id: 2 }] }, 2),
  $and: finds({ $and: [{ words: { $regex: '^word7' } }, { words: 'نجوى' }] }, 20),
  $nor: finds({ id: { $lte: 10 }, $nor: [{ id: { $in: [1, 2] } }] }, 8),
  $not: finds({ counter: { $not: { $gte: 1 } } }, 998),
  '$not with $regex': finds({ id: { $lte: 10 }, words: { $not: { $regex: '^word1' } } }, 8),
  'the beginning of an Arabic word': finds({ words: { $regex: '^سلام3' } }, 143),
  'a part of a text': finds({ content: { $regex: 'رسالة 77ن' } }, 1),
  'a sorted page by a named index': lists({ userId: 3 }, { sort: { id: -1 }, hint: BY_USER }, [993, 983]),
  'a page after another': lists({ userId: 3, id: { $lt: 983 } }, { sort: { id: -1 } }, [973, 963]),
  projection: async (samples) =>
    is(await samples.findOne({ id: 7 }, { projection: { _id: 0, 'submission.key': 1 } }), {
      submission: { key: 'submission 7' },
    }),
  'a count up to a limit': async (samples) => (await samples.countDocuments({ isRead: true }, { limit: 50 })) === 50,
  'an estimate of all': async (samples) => (await samples.estimatedDocumentCount()) >= 0,
  'all documents, some at a time': async (samples) =>
    (await samples.find({}, { sort: { _id: 1 }, batchSize: 100, projection: { _id: 1 } }).toArray()).length === 1000,
  '$unwind and $project': async (samples) => {
    const pipeline = [
      { $match: { id: { $lte: 3 } } },
      { $unwind: '$entries' },
      { $match: { 'entries.reason': 'threat' } },
      { $sort: { id: -1 } },
      { $limit: 2 },
      { $project: { _id: 0, id: 1 } },
    ];
    return is(await samples.aggregate(pipeline).toArray(), [{ id: 3 }, { id: 2 }]);
  },
  'counts of months in a time zone': async (samples) => {
    const pipeline = [{ $match: { userId: 4 } }, { $group: { _id: MONTH, count: { $sum: 1 } } }];
    const found = await samples.aggregate<{ _id: string; count: number }>(pipeline, { hint: BY_USER }).toArray();
    return is(found.find(({ _id }) => _id === '2026-01')?.count, 74);
  },
};
