import { expect, test } from '@jest/globals';
import { ConfigError } from '@najwa/common/config';
import { loadConfig } from './config.js';

test('reports all faults of a configuration together, without the secret', () => {
  const load = () => loadConfig({ ADMIN_SECRET: 'short-one', ADMIN_CREATE_LIMIT: 'many' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(
    /IDENTITY_PUBLIC_KEY: is required[^]*TRACKING_GRPC: is required[^]*ADMIN_SECRET: must have at least 12[^]*ADMIN_CREATE_LIMIT:/,
  );
  expect(load).not.toThrow(/short-one/);
});
