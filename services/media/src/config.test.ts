import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ConfigError } from '@najwa/common/config';
import { publicKeyEntry } from '@najwa/common/grpc';
import { loadConfig } from './config.js';

const serviceKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const complete = {
  SERVICE_PUBLIC_KEYS: publicKeyEntry('messages', serviceKey),
  IDENTITY_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\\nAAAA\\n-----END PUBLIC KEY-----',
  AMQP_URL: 'amqp://localhost',
  MONGO_URL: 'mongodb://localhost',
  S3_ENDPOINT: 'http://localhost:9000/',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'a secret',
  SENDER_KEYS: randomBytes(32).toString('base64'),
};

test('reads the required variables and applies defaults', () => {
  expect(loadConfig(complete)).toMatchObject({
    mongo: { database: 'najwa_media' },
    s3: { endpoint: 'http://localhost:9000', accessKey: 'key', secretKey: 'a secret', bucket: 'najwa-media' },
  });
});

test('uses FFMPEG_BIN if set, otherwise finds ffmpeg', () => {
  expect(loadConfig({ ...complete, FFMPEG_BIN: '/opt/ffmpeg', PATH: '/opt' }).ffmpeg).toEqual({
    program: '/opt/ffmpeg',
    path: '/opt',
  });
  expect(loadConfig(complete).ffmpeg).toEqual({
    program: 'ffmpeg',
    path: '/usr/local/bin:/usr/bin:/bin',
  });
});

test('reports all faults together, without their values', () => {
  let fault: unknown;
  try {
    loadConfig({
      ...complete,
      S3_ENDPOINT: 'ftp://localhost',
      S3_BUCKET: 'Not A Bucket',
      S3_SECRET_KEY: '',
      S3_ACCESS_KEY: undefined,
      VOICE_LIMIT: 'few',
      RECORDINGS_FOLDER: 'here',
    });
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(ConfigError);
  const { faults } = fault as ConfigError;
  expect(faults.map((line) => line.split(':')[0]).sort()).toEqual([
    'RECORDINGS_FOLDER',
    'S3_ACCESS_KEY',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_SECRET_KEY',
    'VOICE_LIMIT',
  ]);
  expect(faults.join()).not.toContain('Not A Bucket');
});
