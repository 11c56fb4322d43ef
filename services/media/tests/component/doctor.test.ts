// Long run: it tries every kind of command on real servers.
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { runDoctor } from '@najwa/media/doctor';
import { INDEX_KINDS } from '../../src/doctor/mongodb-kinds.js';
import { openDatabase, requiredVariable, sharedBed } from '@najwa/testing';
import { Client } from 'minio';

const REPOSITORY = path.join(import.meta.dirname, '../../../..');
const SERVERS = ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'FFMPEG_BIN', 'PATH'];
const environment = Object.fromEntries(SERVERS.map((name) => [name, requiredVariable(name)]));

const opened: Server[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

/** Runs it. Its lines have the names of what they are about. */
async function examine(changed: Record<string, string>, { args = [] as string[], stopAfter = '' } = {}) {
  const lines: Record<string, string> = {};
  const stopping = new AbortController();
  let last = '';
  const status = await runDoctor({
    environment: { ...environment, ...changed },
    args,
    step(title) {
      const end = (text: string): void => {
        lines[title] = text;
        if (title === stopAfter) stopping.abort();
      };
      return { done: end, fail: end };
    },
    writeLine: (line) => {
      last = line;
    },
    signal: stopping.signal,
    timeoutMs: 240_000,
  });
  return { status, lines, last };
}

/** Names of everything that it wrote and did not remove. */
async function findLeftovers(): Promise<string[]> {
  const connection = await openDatabase();
  const { databases } = await connection.listDatabases();
  await connection.close();
  const { hostname, port } = new URL(requiredVariable('S3_ENDPOINT'));
  const client = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: requiredVariable('S3_ACCESS_KEY'),
    secretKey: requiredVariable('S3_SECRET_KEY'),
  });
  const buckets = await client.listBuckets();
  return [...databases, ...buckets].map(({ name }) => name).filter((name) => name.includes('doctor'));
}

/** A broker to which quorum queues are unknown: it is asked for them by another name. */
async function startBrokerWithoutQuorum(): Promise<string> {
  const { hostname, port, username, password } = new URL(requiredVariable('AMQP_URL'));
  const server = createServer((socket) => {
    const broker = connect(Number(port), hostname);
    broker.pipe(socket).on('error', () => broker.destroy());
    broker.on('error', () => socket.destroy());
    socket.on('data', (bytes) =>
      broker.write(Buffer.from(bytes.toString('latin1').replaceAll('quorum', 'qworum'), 'latin1')),
    );
    socket.on('close', () => broker.destroy());
  }).listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  return `amqp://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the doctor passes suitable servers and leaves nothing on them', async () => {
  const { status, lines, last } = await examine({});
  expect({ status, last }).toEqual({ status: 0, last: 'All of this will do.' });
  expect(lines).toMatchObject({
    MongoDB: expect.stringMatching(/^ok, version \d/),
    'MongoDB indexes': expect.stringMatching(/^ok, .* unique \d+/),
    'RabbitMQ queues': expect.stringMatching(/^ok/),
    'Store objects': expect.stringMatching(/^ok/),
    ffmpeg: expect.stringMatching(/^ok/),
  });
  expect(await findLeftovers()).toEqual([]);
});

// Threat model: doctor-1.
test('the doctor explains a stopped database, a broker without quorum queues and a wrong secret', async () => {
  const { status, lines, last } = await examine(
    { S3_SECRET_KEY: 'not-the-secret', MONGO_URL: 'mongodb://user:hidden-password@127.0.0.1:1' },
    { args: [await startBrokerWithoutQuorum()] },
  );
  expect(status).toBe(1);
  expect(last).toMatch(/^This will not do: /);
  const faults = Object.fromEntries(Object.entries(lines).filter(([, text]) => !text.startsWith('ok')));
  expect(faults).toEqual({
    MongoDB: 'Nothing answers at 127.0.0.1:1. Start it, or correct MONGO_URL.',
    'RabbitMQ queues': expect.stringContaining('It has no quorum queues as services need them.'),
    Store: 'It refuses S3_SECRET_KEY: it is not the secret of S3_ACCESS_KEY.',
  });
  expect(JSON.stringify(lines)).not.toMatch(/hidden-password|not-the-secret/);
});

test('the doctor names missing and malformed variables without their values', async () => {
  const { status, lines } = await examine({
    MONGO_URL: 'user:hidden-password@db.example',
    AMQP_URL: '',
    S3_SECRET_KEY: '',
    FFMPEG_BIN: '/nowhere/ffmpeg',
  });
  expect(status).toBe(1);
  expect(lines).toMatchObject({
    MongoDB: 'MONGO_URL must be a URL that begins with mongodb:// or mongodb+srv://.',
    RabbitMQ: 'AMQP_URL is not set: npm start brings its own',
    Store: 'S3_ENDPOINT is set, but not S3_SECRET_KEY.',
    ffmpeg: 'No ffmpeg that runs was found. Set FFMPEG_BIN to one.',
  });
  expect(await examine({}, { args: ['--all'] })).toMatchObject({ status: 2, last: expect.stringMatching(/^Usage/) });
});

// Threat model: doctor-2.
test('an interrupted doctor removes what it has written', async () => {
  expect(await examine({}, { stopAfter: 'MongoDB documents' })).toMatchObject({ status: 1 });
  expect(await findLeftovers()).toEqual([]);
});

/** The properties by which a server can make an index, or not. */
const kindOf = ({
  key,
  v: _v,
  ns: _ns,
  name: _name,
  storageEngine: _engine,
  ...options
}: Record<string, unknown>): string => {
  const fields = Object.keys(key as object);
  return [...Object.keys(options).sort(), fields.length > 1 ? 'several fields' : '', fields.includes('$**') ? '*' : '']
    .filter(Boolean)
    .join(' ');
};

test('the doctor tries every kind of index of the services', async () => {
  const bed = await sharedBed();
  const tried = new Set(Object.values(INDEX_KINDS).map((index) => kindOf({ ...index })));
  const found = new Map<string, string>();
  for (const service of ['admin', 'auth', 'messages', 'media', 'tracking', 'chatbot'] as const) {
    const connection = await bed.openDatabase(service);
    for (const { name } of await connection.listCollections())
      for (const index of await connection.collection(name).indexes())
        found.set(kindOf(index), `${service}.${name}.${index.name}`);
    await connection.close();
  }
  expect(found.size).toBeGreaterThan(4);
  expect([...found].filter(([kind]) => !tried.has(kind))).toEqual([]);
});

const OPERATOR = /\$(?!case\b)[a-z][a-zA-Z]+(?=['"]?:)/g;
const COMMANDS = [
  ...[
    'find',
    'findOne\\w*',
    'insertOne',
    'insertMany',
    'updateOne',
    'updateMany',
    'replaceOne',
    'deleteOne',
    'deleteMany',
  ],
  ...['bulkWrite', 'aggregate', 'countDocuments', 'estimatedDocumentCount', 'distinct', 'watch', 'startSession'],
];
const COMMAND = new RegExp(`\\.(${COMMANDS.join('|')})\\(`, 'g');

test('the doctor tries every operator and command of the services', async () => {
  const kinds = await readFile(path.join(REPOSITORY, 'services/media/src/doctor/mongodb-kinds.ts'), 'utf8');
  const services = path.join(REPOSITORY, 'services');
  const untried = new Set<string>();
  let read = 0;
  for (const file of await readdir(services, { recursive: true })) {
    if (!/^\w+\/src\/.*\.ts$/.test(file) || /\.test\.ts$|^(backup|gateway)\/|\/doctor\//.test(file)) continue;
    const source = await readFile(path.join(services, file), 'utf8');
    if (!/mongoose|@najwa\/common\/mongo/.test(source)) continue;
    read += 1;
    for (const pattern of [OPERATOR, COMMAND])
      for (const [use, name = use] of source.matchAll(pattern))
        if (!kinds.includes(name)) untried.add(`${file}: ${name}`);
  }
  expect(read).toBeGreaterThan(30);
  expect([...untried]).toEqual([]);
});
