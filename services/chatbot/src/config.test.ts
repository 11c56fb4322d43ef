import { expect, test } from '@jest/globals';
import { ConfigError } from '@najwa/common/config';
import { loadConfig } from './config.js';

test('reports every fault of a configuration at once, without the key', () => {
  const load = () =>
    loadConfig({ OPENAI_API_KEY: 'the-key', OPENAI_BASE_URL: 'nothing', OPENAI_TIMEOUT_MS: '20s', CHAT_LIMIT: 'many' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(
    /IDENTITY_PUBLIC_KEY: is required[^]*MONGO_URL: is required[^]*AUTH_GRPC: is required[^]*CHAT_LIMIT:[^]*OPENAI_BASE_URL:[^]*OPENAI_TIMEOUT_MS:/,
  );
  expect(load).not.toThrow(/the-key/);
});
