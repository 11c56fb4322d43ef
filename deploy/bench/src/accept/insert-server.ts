import type { AddressInfo } from 'node:net';
import express from 'express';
import mongoose from 'mongoose';

export interface PlainDatabase {
  url: string;
  name: string;
}

// Baseline: the simplest server with acknowledged writes. No identity, limits, idempotency, events or counts. A
// separate process.
process.once('message', ({ url, name }: PlainDatabase) => {
  void (async () => {
    const connection = await mongoose.createConnection(url, { dbName: name }).asPromise();
    const schema = new mongoose.Schema({
      userId: Number,
      content: String,
      isRead: Boolean,
      isPublic: Boolean,
      createdAt: Date,
    });
    const Message = connection.model('Message', schema.index({ userId: 1, createdAt: -1 }));
    await Message.init();
    const app = express();
    app.use(express.json());
    app.post('/api/messages', async (request, response) => {
      const { userId, content } = request.body as { userId: number; content: string };
      response
        .status(201)
        .json(await Message.create({ userId, content, isRead: false, isPublic: false, createdAt: new Date() }));
    });
    const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  })();
});
process.once('disconnect', () => process.exit());
