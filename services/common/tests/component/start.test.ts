import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createIdentitySigner, createIdentityVerifier, IDENTITY_HEADER } from '@najwa/common/identity';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createBackendService, type BackendService } from '@najwa/common/service';
import { freePort } from '@najwa/dev/processes/ports';
import { eventually, requiredVariable } from '@najwa/testing';
import { Router } from 'express';

const mongo = new URL(requiredVariable('MONGO_URL'));

let databasePort: number;
let httpPort: number;
let forwarder: Server;
let lines: Record<string, unknown>[];
let service: BackendService;
let token: string;
let dropDatabase: () => Promise<unknown>;
let sweeps: Date[];

const statusOf = async (path: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${httpPort}${path}`, { headers: { [IDENTITY_HEADER]: token } })).status;

beforeEach(async () => {
  [databasePort, httpPort, lines, sweeps] = [await freePort(), await freePort(), [], []];
  forwarder = createServer((socket) => {
    const upstream = connect(Number(mongo.port), mongo.hostname);
    for (const end of [socket, upstream]) end.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  const keys = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  token = await createIdentitySigner(keys.privateKey).sign({ user: null, visitorId: 'v', ip: '192.0.2.1' }, 'auth');
  const write = (line: string): number => lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger({ service: 'test', level: 'info', destination: { write } });
  const database = new Database(
    { url: `mongodb://127.0.0.1:${databasePort}`, database: `test_${randomUUID().slice(0, 8)}` },
    logger,
  );
  const things = database.connection.collection('things');
  dropDatabase = () => database.connection.dropDatabase();
  service = createBackendService({
    host: '127.0.0.1',
    port: httpPort,
    logger,
    metrics: new Metrics('test'),
    identities: createIdentityVerifier(keys.publicKey, 'auth'),
    routes: Router().get('/api/things', async (_request, response) => {
      response.json(await things.countDocuments());
    }),
    database,
    sweep: (now) => Promise.resolve(void sweeps.push(now)),
    dispose: [],
  });
});

afterEach(async () => {
  await service.stop();
  forwarder.close();
});

// Threat model: mongodb-5.
test('a service waits for its database at start, is not ready meanwhile, and then sweeps', async () => {
  const started = service.start();
  await eventually(() =>
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'waiting for the database' })),
  );
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(await statusOf('/health/live')).toBe(200);
  const readiness = await fetch(`http://127.0.0.1:${httpPort}/health/ready`);
  expect([readiness.status, await readiness.json()]).toEqual([503, { ready: false, failing: ['database'] }]);
  expect(await statusOf('/api/things')).toBe(503);

  forwarder.listen(databasePort, '127.0.0.1');
  await started;
  expect(lines.filter(({ dependency }) => dependency === 'database')).toHaveLength(1);
  expect(await statusOf('/health/ready')).toBe(200);
  expect(await statusOf('/api/things')).toBe(200);
  await eventually(() => expect(sweeps).toHaveLength(1));
  await dropDatabase();
});

test('a service can be stopped while it waits for its database', async () => {
  const started = service.start().catch((error: unknown) => error);
  await eventually(() => expect(lines).toContainEqual(expect.objectContaining({ level: 'warn' })));
  await service.stop();
  expect(await started).toMatchObject({ name: 'AbortError' });
});
