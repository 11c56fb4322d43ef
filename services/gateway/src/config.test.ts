import { generateKeyPairSync } from 'node:crypto';
import { ConfigError } from '@najwa/common/config';
import { expect, test } from '@jest/globals';
import { loadConfig } from './config.js';

const COMPLETE = {
  AMQP_URL: 'amqp://broker',
  IDENTITY_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nx\\n-----END PRIVATE KEY-----',
  SERVICE_PRIVATE_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  AUTH_GRPC: 'auth:9090',
  MESSAGES_GRPC: 'messages:9090',
  AUTH_URL: 'http://auth:8080/',
  MESSAGES_URL: 'http://messages:8080',
  MEDIA_URL: 'http://media:8080',
  CHATBOT_URL: 'http://chatbot:8080',
  ADMIN_URL: 'http://admin:8080',
  WEB_URL: 'http://web:8080',
};

test('reads the addresses, with defaults for the rest', () => {
  expect(loadConfig({ ...COMPLETE, TRUSTED_PROXIES: ' 10.0.0.0/8, 2001:db8::1 ,' })).toMatchObject({
    port: 8080,
    metricsPort: undefined,
    rateLimitScale: 1,
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    upstreams: { auth: 'http://auth:8080', web: 'http://web:8080' },
  });
  expect(loadConfig({ ...COMPLETE, PUBLIC_HOSTS: 'najwa.example, [::1]', MAX_UPLOADS: '10/2' })).toMatchObject({
    publicHosts: ['najwa.example', '[::1]'],
    limits: {
      uploads: 10,
      uploadsPerNetwork: 2,
      bodyBytesPerSecond: 8_000_000,
      arrival: { minBytesPerSecond: 4096, maxPauseMs: 10_000 },
    },
  });
  expect(loadConfig(COMPLETE)).toMatchObject({ trustedProxies: [], publicHosts: [] });
});

test('reports all faults together', () => {
  const faulty = {
    ...COMPLETE,
    AUTH_URL: 'http://auth/path',
    MEDIA_URL: undefined,
    TRUSTED_PROXIES: '10.0.0.0/33',
    METRICS_PORT: '99999',
    PUBLIC_HOSTS: 'https://najwa.example',
    MAX_UPLOADS: '8',
    BODY_MIN_RATE: '0',
    IDENTITY_PRIVATE_KEY: 'x',
    SERVICE_PRIVATE_KEY: 'x',
  };
  let thrown: unknown;
  try {
    loadConfig(faulty);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigError);
  expect((thrown as ConfigError).faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
    'AUTH_URL',
    'BODY_MIN_RATE',
    'IDENTITY_PRIVATE_KEY',
    'MAX_UPLOADS',
    'MEDIA_URL',
    'METRICS_PORT',
    'PUBLIC_HOSTS',
    'SERVICE_PRIVATE_KEY',
    'TRUSTED_PROXIES',
  ]);
});

// Threat model: gateway-1.
test.each([
  'set-to-the-addresses-of-the-ingress',
  'anything',
  '1',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '10.0.0.0/8x',
  '::1/129',
])('%s is not a trusted proxy', (value) => {
  expect(() => loadConfig({ ...COMPLETE, TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES');
});
