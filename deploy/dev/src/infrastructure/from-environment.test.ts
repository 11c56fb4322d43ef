import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { freePort } from '../processes/ports.js';
import { silentReporter } from '../reporter.js';
import { fromEnvironment, probeOf } from './from-environment.js';

const take = (name: 'mongo' | 's3', environment: Record<string, string>) =>
  fromEnvironment(name, environment).take(silentReporter.step(''));

describe('a part given by the environment', () => {
  test('a given part is used if its server responds', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const MONGO_URL = `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await take('mongo', { MONGO_URL })).toMatchObject({ source: 'environment', env: { MONGO_URL } });
    } finally {
      server.close();
    }
  });

  test('a given part is refused if its server does not respond', async () => {
    await expect(take('mongo', { MONGO_URL: `mongodb://127.0.0.1:${await freePort()}` })).rejects.toThrow(
      'MONGO_URL is set, but the server does not respond.',
    );
  });

  test('a given part is refused if a variable is missing', async () => {
    await expect(take('s3', { S3_ENDPOINT: 'http://127.0.0.1:9000', S3_ACCESS_KEY: 'key' })).rejects.toThrow(
      'S3_ENDPOINT is set, but not S3_SECRET_KEY.',
    );
  });

  test('a given part is ignored if its variable is empty', async () => {
    expect(await take('mongo', { MONGO_URL: '' })).toBeUndefined();
  });
});

describe('the address to probe', () => {
  test.each([
    ['mongodb://user:password@db.example:27018/?x=1', { host: 'db.example', port: 27_018 }],
    ['mongodb://db.example', { host: 'db.example', port: 27_017 }],
    ['amqps://broker.example', { host: 'broker.example', port: 5_671 }],
    ['http://[::1]:9000', { host: '::1', port: 9_000 }],
    ['mongodb+srv://cluster.example', undefined],
    ['mongodb://one.example:1,two.example:2', undefined],
  ])('reads %s', (address, probe) => {
    expect(probeOf(address)).toEqual(probe);
  });
});
