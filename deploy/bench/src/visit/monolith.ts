import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import helmet from 'helmet';
import mongoose, { connect, model, Schema } from 'mongoose';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** The database of the monolith, and what is in it. */
export interface MonolithOrder {
  url: string;
  name: string;
  profile: { id: number; username: string } & Record<string, unknown>;
  messages: object[];
}

interface Owner {
  id: number;
  username: string;
  name: string;
  bio: string;
}

// The first version of a small team: one Express 5 application on Mongoose that answers the same three addresses, with
// security headers, entity tags, a limit by address, and visits counted once for each visitor. Runs as a separate process.
process.once('message', (order: MonolithOrder) => void start(order));
process.once('disconnect', () => process.exit());

const PAGE_SIZE = 20;
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

async function start({ url, name, profile, messages }: MonolithOrder): Promise<void> {
  await connect(url, { dbName: name });
  const User = model(
    'User',
    new Schema<Owner & { visitorCount: number }>({}, { strict: false, collection: 'users', versionKey: false }),
  );
  const Message = model('Message', new Schema({}, { strict: false, collection: 'messages', versionKey: false }));
  await User.collection.createIndex({ username: 1 }, { unique: true });
  await Message.collection.createIndex({ userId: 1, isPublic: 1, id: -1 });
  await User.create(profile);
  await Message.insertMany(messages.map((message) => ({ ...message, userId: profile.id, isPublic: true })));

  const limiter = new RateLimiterMemory({ points: 60_000_000, duration: 60 });
  const visitors = new Set<string>();
  const published = { _id: 0, userId: 0, isPublic: 0 };
  const listOf = (userId: number) =>
    Message.find({ userId, isPublic: true }, published).sort({ id: -1 }).limit(PAGE_SIZE).lean();

  const countVisit = async (request: Request, userId: number): Promise<void> => {
    const key = `${userId} ${request.headers.cookie ?? randomBytes(16).toString('hex')}`;
    if (visitors.has(key)) return;
    visitors.add(key);
    await User.updateOne({ id: userId }, { $inc: { visitorCount: 1 } });
  };

  const app = express();
  app.use(helmet());
  app.use(async (request, response, next) => {
    try {
      await limiter.consume(request.ip ?? '');
      next();
    } catch {
      response.status(429).json({ message: 'Too many requests.' });
    }
  });
  app.get('/api/users/:username', async (request, response) => {
    const user = await User.findOne({ username: request.params.username }, { _id: 0 }).lean();
    if (user === null) {
      response.status(404).json({ message: 'User not found' });
      return;
    }
    await countVisit(request, user.id);
    response.json(user);
  });
  app.get('/api/messages/public/:userId', async (request, response) => {
    const userId = Number(request.params.userId);
    const [items, total] = await Promise.all([listOf(userId), Message.countDocuments({ userId, isPublic: true })]);
    response.set('X-Total-Count', String(total)).json(items);
  });
  app.get('/m/:username', async (request, response) => {
    const user = await User.findOne({ username: request.params.username }, { _id: 0 }).lean();
    if (user === null) {
      response.status(404).send('Not found');
      return;
    }
    const items = await listOf(user.id);
    await countVisit(request, user.id);
    const list = items.map((item) => `<li>${escape(JSON.stringify(item))}</li>`).join('');
    const head = `<title>${escape(user.name)}</title><meta name="description" content="${escape(user.bio)}">`;
    response.send(`<!doctype html><html><head>${head}</head><body><ul>${list}</ul></body></html>`);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => void mongoose.connection.close());
}
