import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createBatcher } from '@najwa/common';
import { toAppError } from '@najwa/common/errors';
import { createLogger } from '@najwa/common/logging';
import { Database } from '@najwa/common/mongo';
import { eventually, openLine, requiredVariable } from '@najwa/testing';

const mongo = new URL(requiredVariable('MONGO_URL'));
const READERS = 20;
const RESTARTS = 5;
/** Minimum pause between the driver's checks of a server. */
const CHECK_PAUSE_MS = 500;

const open = new Set<Socket>();
let forwarder: Server;
let database: Database;

beforeEach(async () => {
  forwarder = createServer((socket) => {
    const upstream = connect(Number(mongo.port), mongo.hostname);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      upstream.destroy();
    });
    for (const end of [socket, upstream]) end.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
  const { port } = forwarder.address() as AddressInfo;
  database = new Database(
    { url: `mongodb://127.0.0.1:${port}`, database: `test_${randomUUID().slice(0, 8)}` },
    createLogger({ service: 'test', level: 'silent' }),
  );
  await database.connect();
});

afterEach(async () => {
  await database.connection.dropDatabase();
  await database.close();
  forwarder.close();
});

test('a database that hangs ends an operation in time, and is then unavailable', async () => {
  const line = await openLine(Number(mongo.port), mongo.hostname);
  const hanging = new Database(
    { url: `mongodb://${line.host}`, database: `test_${randomUUID().slice(0, 8)}`, operationTimeoutMs: 1_000 },
    createLogger({ service: 'test', level: 'silent' }),
  );
  await hanging.connect();
  const things = hanging.connection.collection<{ _id: number }>('things');
  // Requests of a batch wait for each other.
  const find = createBatcher<number, boolean>({
    runBatch: async (ids) => {
      const found = await things.find({ _id: { $in: ids } }).toArray();
      return ids.map((id) => found.some(({ _id }) => _id === id));
    },
  });
  const isFound = () => eventually(async () => expect(await find(1)).toBe(true));
  // On a busy machine, an answer of a good database may be late too.
  await eventually(() => things.replaceOne({ _id: 1 }, {}, { upsert: true }));
  await isFound();
  const heartbeats: unknown[] = [];
  hanging.connection.getClient().on('serverHeartbeatFailed', (event) => heartbeats.push(event));
  line.become({ state: 'silent' });
  const operations = [find(1), find(2), things.insertOne({ _id: 3 }), things.countDocuments()];
  const outcomes = await Promise.allSettled(operations);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && toAppError(outcome.reason).code)).toEqual(
    operations.map(() => 'unavailable'),
  );
  // They would end the operations too, but only after half a minute.
  expect(heartbeats).toEqual([]);
  line.become({ state: 'good' });
  await isFound();
  await eventually(() => hanging.connection.dropDatabase());
  await hanging.close();
  line.close();
});

// Threat model: mongodb-5.
test('a database is found again each time it has ended all connections, also under load', async () => {
  const things = database.connection.collection('things');
  let lastCheck = performance.now();
  database.connection.getClient().on('serverHeartbeatSucceeded', () => (lastCheck = performance.now()));
  let reading = true;
  let answers = 0;
  const readers = Array.from({ length: READERS }, async () => {
    while (reading) {
      await things.countDocuments().then(
        () => (answers += 1),
        () => undefined,
      );
    }
  });
  try {
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const before = answers;
      await eventually(() => expect(answers).toBeGreaterThan(before + READERS));
      await eventually(() => expect(performance.now() - lastCheck).toBeGreaterThan(CHECK_PAUSE_MS));
      for (const socket of open) socket.end();
      const atEnd = answers;
      await eventually(() => expect(answers).toBeGreaterThan(atEnd + READERS));
    }
  } finally {
    reading = false;
    await Promise.all(readers);
  }
});
