import { expect, test } from '@jest/globals';
import { ConfigError } from '@najwa/common/config';
import { retentionEnvironment } from '@najwa/common/retention';
import { loadConfig } from './config.js';

test('reports all faults of a configuration together', () => {
  const load = () => loadConfig({ MONGO_URL: 'nothing', TRACKING_RETENTION_DAYS: '0' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(
    /IDENTITY_PUBLIC_KEY: is required[^]*AMQP_URL: is required[^]*MONGO_URL:[^]*TRACKING_RETENTION_DAYS:/,
  );
});

test('addresses of senders are kept for ninety days, if a site says nothing else', () =>
  expect(retentionEnvironment.TRACKING_RETENTION_DAYS.parse(undefined)).toBe(90));
