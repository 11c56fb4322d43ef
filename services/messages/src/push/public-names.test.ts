import { createSocket } from 'node:dgram';
import type { LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createPublicLookup, isPublicAddress } from './public-names.js';

describe('addresses of push services', () => {
  test.each(['142.250.185.74', '34.107.243.93', '2a00:1450:4001:829::200a', '2600:1901:0:524c::'])(
    'a push service may have the address %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  // Threat model: push-1.
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1',
    '2001:db8::1',
    '2002:a00:1::',
    'name',
  ])('a push service may not have the address %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('names of push services', () => {
  let server: StandInNameServer;
  let lookup: LookupFunction;

  beforeEach(async () => {
    server = await startNameServer();
    // However busy the machine is, no question is asked a second time.
    lookup = createPublicLookup({ servers: [server.address], timeoutMs: 60_000 });
  });

  afterEach(() => server.close());

  const resolve = (name: string, options: LookupOptions = { all: true }): Promise<unknown> =>
    new Promise((done) => lookup(name, options, (error, found) => done(error ?? found)));

  test('the name of a push service is resolved once, also concurrently', async () => {
    server.addresses.set('push.example', '142.250.185.74');
    const found = [{ address: '142.250.185.74', family: 4 }];
    expect(await Promise.all([resolve('push.example'), resolve('push.example')])).toEqual([found, found]);
    expect(await resolve('push.example', {})).toBe('142.250.185.74');
    expect(server.questions.filter((name) => name === 'push.example')).toHaveLength(2);
  });

  // Threat model: push-1.
  test.each([{ all: true }, { all: false }])('refuses a push service with a private address (%j)', async (options) => {
    server.addresses.set('inside.example', '10.0.0.1');
    expect(await resolve('inside.example', options)).toHaveProperty(
      'message',
      'The name leads to an address that is not public.',
    );
  });

  // Threat model: push-5.
  test('names with dead name servers delay neither others nor the disk', async () => {
    server.addresses.set('push.example', '142.250.185.74');
    const dead = Array.from({ length: 20 }, (_, index) => resolve(`dead-${index}.example`));
    let isDeadAnswered = false;
    void Promise.race(dead).then(() => (isDeadAnswered = true));
    await Promise.all([resolve('push.example'), readFile(new URL(import.meta.url))]);
    expect(isDeadAnswered).toBe(false);
    server.refuseOpenQuestions();
    expect(await Promise.all(dead)).toMatchObject(dead.map(() => ({ code: 'ENOTFOUND' })));
  });

  test('a dead name server is not asked again at once', async () => {
    lookup = createPublicLookup({ servers: [server.address], timeoutMs: 300 });
    expect(await resolve('dead.example')).toMatchObject({ code: 'ETIMEOUT' });
    const asked = server.questions.length;
    expect(await resolve('dead.example')).toMatchObject({ code: 'ETIMEOUT' });
    expect(server.questions).toHaveLength(asked);
  });
});

interface StandInNameServer {
  address: string;
  /** IPv4 addresses by name. Questions about other names stay open. */
  addresses: Map<string, string>;
  questions: string[];
  /** These names do not exist. */
  refuseOpenQuestions(): void;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const NO_SUCH_NAME = 3;

/** Answers questions for IPv4 addresses over UDP (RFC 1035). */
async function startNameServer(): Promise<StandInNameServer> {
  const socket = createSocket('udp4');
  const addresses = new Map<string, string>();
  const questions: string[] = [];
  const refusals: (() => void)[] = [];
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const end = at + 5;
    const name = labels.join('.');
    questions.push(name);
    const answer = (code: number, records: Buffer[]): void => {
      const header = Buffer.from(question.subarray(0, HEADER_BYTES));
      header.writeUInt16BE(0x8180 + code, 2);
      header.writeUInt16BE(records.length, 6);
      header.fill(0, 8);
      const parts = [header, question.subarray(HEADER_BYTES, end), ...records];
      socket.send(Buffer.concat(parts), from.port, from.address);
    };
    const address = addresses.get(name);
    if (address === undefined) {
      refusals.push(() => answer(NO_SUCH_NAME, []));
      return;
    }
    const isV4 = question.readUInt16BE(at + 1) === TYPE_A;
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]);
    answer(0, isV4 ? [record] : []);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    addresses,
    questions,
    refuseOpenQuestions: () => refusals.forEach((refuse) => refuse()),
    close: () => socket.close(),
  };
}
