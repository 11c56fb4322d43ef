import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createEvent, EventBus } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import { Event } from '@najwa/proto/events';
import express, { type Request, type Response } from 'express';
import mongoose from 'mongoose';

export interface RivalOrder {
  mongoUrl: string;
  database: string;
  amqpUrl: string;
  amqpPrefix: string;
  recipients: number[];
}

const SECRET = 'of the benchmark';
const HOUR_MS = 3_600_000;
/** Counted, but never reached. */
const LIMIT = 1_000_000_000;
const MAX_CONTENT = 1_000;
const SWEEP_MS = 2_000;
const BATCH = 100;

const sign = (visitor: string): string => createHmac('sha256', SECRET).update(visitor).digest('base64url');

/** By a signed cookie, else a new one. */
function visitorOf(request: Request, response: Response): string {
  const [visitor = '', signature = ''] = /visitor=([^;]+)/.exec(request.get('cookie') ?? '')?.[1]?.split('.') ?? [];
  const expected = Buffer.from(sign(visitor));
  const given = Buffer.from(signature);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return visitor;
  const created = randomUUID();
  response.cookie('visitor', `${created}.${sign(created)}`, { httpOnly: true, sameSite: 'lax', maxAge: HOUR_MS });
  return created;
}

const { Schema } = mongoose;
const outbox = [{ _id: false, id: String, at: Date, body: String }];
const messageSchema = new Schema({
  id: { type: Number, unique: true },
  userId: Number,
  sender: String,
  content: String,
  isRead: Boolean,
  isPublic: Boolean,
  createdAt: Date,
  submission: { key: { type: String, unique: true }, content: String },
  outbox,
});
messageSchema.index({ userId: 1, id: -1 }).index({ userId: 1, isRead: 1, id: -1 });
messageSchema.index({ userId: 1, isPublic: 1, id: -1 }).index({ 'outbox.at': 1 }, { sparse: true });
const traceSchema = new Schema({ messageId: { type: Number, unique: true }, userAgent: String, createdAt: Date });
const noticeSchema = new Schema({ messageId: { type: Number, unique: true }, userId: Number, readAt: Date });

const User = mongoose.model('User', new Schema({ _id: Number, blocked: [String], words: [String] }));
const Counter = mongoose.model('Counter', new Schema({ _id: String, value: Number }));
const Limit = mongoose.model(
  'Limit',
  new Schema({ _id: String, points: Number, until: Date }).index({ until: 1 }, { expireAfterSeconds: 0 }),
);
const Message = mongoose.model('Message', messageSchema);
const Trace = mongoose.model('Trace', traceSchema.index({ createdAt: 1 }));
const Notice = mongoose.model('Notice', noticeSchema.index({ userId: 1, messageId: -1 }));

async function increment(key: string): Promise<boolean> {
  const window = Math.floor(Date.now() / HOUR_MS);
  const { points } = await retryOnDeadlock(() =>
    Limit.findOneAndUpdate(
      { _id: `${key} ${window}` },
      { $inc: { points: 1 }, $setOnInsert: { until: new Date((window + 1) * HOUR_MS) } },
      { upsert: true, returnDocument: 'after' },
    ).orFail(),
  );
  return (points ?? 0) <= LIMIT;
}

async function nextId(): Promise<number> {
  const { value } = await retryOnDeadlock(() =>
    Counter.findOneAndUpdate(
      { _id: 'messages' },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    ).orFail(),
  );
  return value ?? 0;
}

const once = async (write: () => Promise<unknown>): Promise<void> => {
  await retryOnDeadlock(write).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
};
const ignore = (): void => undefined;

// Baseline: one Express and Mongoose process with our guarantees, one step each: signed senders; limits in the database
// for sender, recipient and both; idempotency; existing recipients, their blocks and words; message and event in one
// write; confirmed publishing; a consumer for tracking and notices. Without caches, search, counts, seals or a second
// process, which favours it.
class Rival {
  /** Accepted, not handled yet. */
  waiting = 0;
  readonly #bus: EventBus;

  constructor({ amqpUrl, amqpPrefix }: RivalOrder) {
    this.#bus = new EventBus({
      url: amqpUrl,
      prefix: amqpPrefix,
      subscribers: ['tracking'],
      service: 'rival',
      logger: createLogger({ service: 'rival', level: 'warn' }),
      metrics: new Metrics('rival'),
    });
    this.#bus.consume('tracking', {
      messageCreated: async ({ message, sealedSender }) => {
        if (!message) return;
        const { id: messageId, userId, createdAt } = message;
        await once(() =>
          Trace.create({ messageId, userAgent: sealedSender?.sealed ?? '', createdAt: createdAt ?? null }),
        );
        await once(() => Notice.create({ messageId, userId, readAt: null }));
        this.waiting -= 1;
      },
      messageSetAside: ignore,
      messageUpdated: ignore,
      messageDeleted: ignore,
      accountDeleted: ignore,
    });
  }

  async start(): Promise<void> {
    await this.#bus.start();
    setInterval(() => void this.#publishLeft(), SWEEP_MS);
  }

  async #publish(id: unknown, body: string): Promise<void> {
    await this.#bus.publish([Event.fromJSON(JSON.parse(body))]);
    await retryOnDeadlock(() => Message.updateOne({ _id: id }, { $set: { outbox: [] } }));
  }

  /** By an earlier process. */
  async #publishLeft(): Promise<void> {
    const old = { 'outbox.at': { $gt: new Date(0), $lt: new Date(Date.now() - HOUR_MS) } };
    for (const message of await Message.find(old).limit(BATCH).lean())
      void this.#publish(message._id, message.outbox[0]?.body ?? '');
  }

  async accept(request: Request, response: Response): Promise<unknown> {
    const { userId, content } = request.body as { userId: unknown; content: unknown };
    if (typeof userId !== 'number' || typeof content !== 'string' || content === '' || content.length > MAX_CONTENT)
      return response.status(422).json({ code: 'invalid_input' });
    const sender = visitorOf(request, response);
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
    const submission = {
      key: hash(`${sender} ${request.get('idempotency-key') ?? randomUUID()}`),
      content: hash(`${userId} ${content}`),
    };
    const present = ({ id, createdAt }: { id?: unknown; createdAt?: unknown }) =>
      response.status(201).json({ id, userId, content, createdAt });
    const earlier = await Message.findOne({ 'submission.key': submission.key }).lean();
    if (earlier)
      return earlier.submission?.content === submission.content
        ? present(earlier)
        : response.status(409).json({ code: 'idempotency_conflict' });
    const recipient = await User.findById(userId).lean();
    if (!recipient) return response.status(404).json({ code: 'user_not_found' });
    for (const key of [`sender ${sender}`, `inbox ${userId}`, `site ${userId} ${request.ip}`])
      if (!(await increment(key))) return response.status(429).json({ code: 'too_many_requests' });
    if (recipient.blocked.includes(sender) || recipient.words.some((word) => content.includes(word)))
      return present({ id: await nextId(), createdAt: new Date() });
    const id = await nextId();
    const createdAt = new Date();
    const state = { id, userId, content, isRead: false, isPublic: false, createdAt };
    const value = {
      message: { ...state, imageName: '', audioName: '', revision: 1 },
      sealedSender: { wrappedKey: '', sealed: request.get('user-agent') ?? '' },
    };
    const event = createEvent(randomUUID(), { $case: 'messageCreated', value });
    const body = JSON.stringify(Event.toJSON(event));
    try {
      const document = { ...state, sender, submission, outbox: [{ id: event.id, at: createdAt, body }] };
      const { _id } = await retryOnDeadlock(() => Message.create(document));
      this.waiting += 1;
      present({ id, createdAt });
      await this.#publish(_id, body);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another attempt was first.
      present(await Message.findOne({ 'submission.key': submission.key }).orFail().lean());
    }
    return undefined;
  }
}

async function serve(order: RivalOrder): Promise<void> {
  await mongoose.connect(order.mongoUrl, { dbName: order.database });
  await Promise.all(Object.values(mongoose.models).map((model) => model.init()));
  await User.insertMany(order.recipients.map((_id) => ({ _id, blocked: [], words: [] })));
  const rival = new Rival(order);
  await rival.start();
  const app = express();
  app.use(express.json());
  app.post('/api/messages', (request, response) => rival.accept(request, response));
  app.get('/waiting', (_request, response) => response.json({ waiting: rival.waiting }));
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

process.once('message', (order: RivalOrder) => void serve(order));
process.once('disconnect', () => process.exit());
