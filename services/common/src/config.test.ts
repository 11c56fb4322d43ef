import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { SUBSCRIBERS } from './amqp/topology.js';
import {
  amqpEnvironment,
  baseEnvironment,
  ConfigError,
  mongoEnvironment,
  pem,
  rateLimit,
  readConfig,
  wholeNumber,
  type Environment,
} from './config.js';

const shape = z.object({ ...baseEnvironment, ...amqpEnvironment, ...mongoEnvironment('example'), KEY: pem });

const complete = {
  AMQP_URL: 'amqp://127.0.0.1:5672',
  MONGO_URL: 'mongodb://127.0.0.1:27017',
  KEY: '-----BEGIN PUBLIC KEY-----\\nabc\\n-----END PUBLIC KEY-----\\n',
};

function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(shape, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  test('applies defaults', () => {
    expect(readConfig(shape, complete)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      AMQP_PREFIX: 'najwa',
      MONGO_DATABASE: 'najwa_example',
    });
  });

  test('reads the services that events go to, all by default', () => {
    const subscribersIn = (environment: Environment) => readConfig(shape, environment).AMQP_SUBSCRIBERS;
    expect(subscribersIn(complete)).toEqual(SUBSCRIBERS);
    expect(subscribersIn({ ...complete, AMQP_SUBSCRIBERS: 'auth, media' })).toEqual(['auth', 'media']);
    expect(faultsOf({ ...complete, AMQP_SUBSCRIBERS: 'auth,nobody' })).toEqual([
      expect.stringMatching(/^AMQP_SUBSCRIBERS\.1: /),
    ]);
  });

  test('reports all errors at once', () => {
    expect(faultsOf({ PORT: '99999', MONGO_URL: 'http://example', LOG_LEVEL: 'loud', KEY: '' })).toEqual([
      expect.stringMatching(/^PORT: must be at most 65535/),
      expect.stringMatching(/^LOG_LEVEL: /),
      'AMQP_URL: is required',
      expect.stringMatching(/^MONGO_URL: must be a URL that begins with mongodb:/),
      'KEY: is required',
    ]);
  });

  test.each(['30x', '1e3', '-1', '0x10', ' 80', '3.5'])('refuses %p as a port', (port) => {
    expect(faultsOf({ ...complete, PORT: port })).toHaveLength(1);
  });

  test.each([
    'mongodb://one:27017,two:27017,three/?replicaSet=rs0',
    'mongodb://user:p%40ss,word@one:27017,two:27018',
    'mongodb+srv://user:password@cluster.example',
  ])('accepts the hosts of a replica set: %s', (url) => {
    expect(faultsOf({ ...complete, MONGO_URL: url })).toEqual([]);
  });

  test.each(['one:27017,two:27017', 'mongodb://one:port'])('refuses %p as a database', (url) => {
    expect(faultsOf({ ...complete, MONGO_URL: url })).toHaveLength(1);
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig(shape, { ...complete, PORT: '' })).toMatchObject({ PORT: 8080 });
  });

  test('never repeats a value, since it may be a secret', () => {
    const secret = 'hunter2-hunter2';
    expect(faultsOf({ ...complete, KEY: secret, MONGO_URL: secret, PORT: secret }).join(' ')).not.toContain(secret);
  });

  test('restores the line breaks of a key', () => {
    expect(readConfig(shape, complete).KEY).toBe('-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----\n');
  });
});

describe('wholeNumber', () => {
  const days = wholeNumber({ min: 1, max: 365 });

  test.each([
    ['1', true],
    ['365', true],
    ['0', false],
    ['366', false],
    ['1.5', false],
    ['١', false],
  ])('takes %p: %p', (text, accepted) => {
    expect(days.safeParse(text).success).toBe(accepted);
  });
});

describe('rateLimit', () => {
  test('reads points and seconds', () => {
    expect(rateLimit('LOGIN_ADDRESS_LIMIT', '10/900', 'Logins.').parse('20/60')).toEqual({
      name: 'login-address',
      points: 20,
      seconds: 60,
    });
    expect(rateLimit('LOGIN_ADDRESS_LIMIT', '10/900', 'Logins.').parse(undefined)).toEqual({
      name: 'login-address',
      points: 10,
      seconds: 900,
    });
  });

  test.each(['0/60', '10', '10/0', '10/x', '/'])('refuses %p', (text) => {
    expect(rateLimit('LOGIN_ADDRESS_LIMIT', '10/900', 'Logins.').safeParse(text).success).toBe(false);
  });
});
