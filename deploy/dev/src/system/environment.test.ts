import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { inCheckout } from '../bootstrap/environment.js';
import {
  environmentOf,
  OF_THE_PROCESS,
  SERVICE_NAMES,
  type Ports,
  type ServiceName,
  type Wiring,
} from './environment.js';

const ports = Object.fromEntries(
  [...SERVICE_NAMES, 'web'].map((name, index) => [name, { http: 20_000 + index, grpc: 21_000 + index }]),
) as Record<ServiceName | 'web', Ports>;

const wiring: Wiring = {
  host: '127.0.0.1',
  ports,
  infrastructure: {
    MONGO_URL: 'mongodb://m',
    AMQP_URL: 'amqp://a',
    S3_ENDPOINT: 'http://s',
    S3_ACCESS_KEY: 'k',
    S3_SECRET_KEY: 's',
    FFMPEG_BIN: '/f',
  },
  secrets: {
    IDENTITY_PRIVATE_KEY: 'private',
    IDENTITY_PUBLIC_KEY: 'public',
    servicePrivateKeys: Object.fromEntries(SERVICE_NAMES.map((name) => [name, `key of ${name}`])) as Record<
      ServiceName,
      string
    >,
    SERVICE_PUBLIC_KEYS: 'public keys',
    ADMIN_SECRET: 'admin',
    ACCOUNT_KEYS: 'keys',
    MODERATION_KEYS: 'moderation keys',
    SENDER_KEYS: 'sender keys',
    PUSH_KEYS: 'push keys',
  },
  own: {
    PATH: '/bin',
    OPENAI_API_KEY: 'openai',
    TRUSTED_PROXIES: '10.0.0.0/8',
    LOGIN_LIMIT: '1/1',
    RATE_LIMIT_SCALE: '0',
    AWS_SECRET: 'foreign',
    LOG_LEVEL: '',
  },
};

const holders = (variable: string): ServiceName[] =>
  SERVICE_NAMES.filter((name) => environmentOf(name, wiring)[variable] !== undefined);

describe('the environment of a service', () => {
  test('bounds the memory of each as its image does', async () => {
    const settings = Object.entries(OF_THE_PROCESS).map((setting) => setting.join('='));
    for (const name of SERVICE_NAMES) expect(environmentOf(name, wiring)).toMatchObject(OF_THE_PROCESS);
    expect(await readFile(inCheckout('services/Dockerfile'), 'utf8')).toContain(settings.join(' '));
  });

  // Threat model: minio-6.
  test('contains only the secrets that it needs', () => {
    expect(holders('IDENTITY_PRIVATE_KEY')).toEqual(['gateway']);
    expect(holders('ADMIN_SECRET')).toEqual(['admin']);
    expect(holders('ACCOUNT_KEYS')).toEqual(['auth']);
    expect(holders('MODERATION_KEYS')).toEqual(['messages']);
    expect(holders('PUSH_KEYS')).toEqual(['messages']);
    expect(holders('SENDER_KEYS')).toEqual(['media', 'tracking', 'messages']);
    expect(holders('OPENAI_API_KEY')).toEqual(['chatbot']);
    expect(holders('S3_SECRET_KEY')).toEqual(['media']);
    expect(holders('TRUSTED_PROXIES')).toEqual(['gateway']);
    expect(holders('IDENTITY_PUBLIC_KEY')).toEqual([...SERVICE_NAMES]);
  });

  test('contains only the private key of the service itself', () => {
    for (const name of holders('SERVICE_PRIVATE_KEY'))
      expect(environmentOf(name, wiring)['SERVICE_PRIVATE_KEY']).toBe(`key of ${name}`);
    expect(holders('SERVICE_PRIVATE_KEY')).not.toContain('media');
  });

  test('contains no other variables of the user', () => {
    expect(holders('AWS_SECRET')).toEqual([]);
  });

  test('contains all limits and no empty variables', () => {
    expect(holders('LOGIN_LIMIT')).toEqual([...SERVICE_NAMES]);
    expect(holders('RATE_LIMIT_SCALE')).toEqual([...SERVICE_NAMES]);
    expect(holders('LOG_LEVEL')).toEqual([]);
  });

  test('contains the addresses of the servers that it calls', () => {
    expect(environmentOf('messages', wiring)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: String(ports.messages.http),
      MONGO_URL: 'mongodb://m',
      AMQP_URL: 'amqp://a',
      AUTH_GRPC: `127.0.0.1:${ports.auth.grpc}`,
      MEDIA_GRPC: `127.0.0.1:${ports.media.grpc}`,
    });
    expect(environmentOf('gateway', wiring)).toMatchObject({
      AUTH_URL: `http://127.0.0.1:${ports.auth.http}`,
      WEB_URL: `http://127.0.0.1:${ports.web.http}`,
    });
  });

  test('gives the gateway no database', () => {
    expect(holders('MONGO_URL')).not.toContain('gateway');
  });

  test('gives a gRPC port only to services with a gRPC server', () => {
    expect(holders('GRPC_PORT')).toEqual(['media', 'auth', 'tracking', 'chatbot', 'messages']);
  });

  test('names the database only where systems share a server', () => {
    expect(environmentOf('auth', wiring)['MONGO_DATABASE']).toBeUndefined();
    expect(environmentOf('auth', { ...wiring, databasePrefix: 'run-1' })['MONGO_DATABASE']).toBe('run-1_auth');
  });
});
