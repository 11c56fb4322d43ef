import { expect, test } from '@jest/globals';
import { ConfigError } from '@najwa/common/config';
import { loadConfig } from './config.js';

test('reports all faults of a configuration together', () => {
  const load = () => loadConfig({ PORT: 'abc', MONGO_URL: 'nothing', LOGIN_LIMIT: 'many' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(
    /PORT:[^]*IDENTITY_PUBLIC_KEY: is required[^]*AMQP_URL: is required[^]*MONGO_URL:[^]*MEDIA_GRPC: is required[^]*LOGIN_LIMIT:/,
  );
});
