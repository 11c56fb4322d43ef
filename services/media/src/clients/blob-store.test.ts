import { expect, test } from '@jest/globals';
import { createBlobStore } from './blob-store.js';

test('a store that does not answer is unavailable, with retryAfter and without its address', async () => {
  const store = createBlobStore({
    endpoint: 'http://127.0.0.1:1',
    accessKey: 'key',
    secretKey: 'a secret',
    bucket: 'pictures',
  });
  for (const call of [
    () => store.put('a', Buffer.from('a'), 'image/webp'),
    () => store.open('a'),
    () => store.copy('a', 'b'),
    () => store.remove('a'),
    () => store.check(),
    () => store.prepare(),
  ]) {
    await expect(call()).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 2,
      message: expect.not.stringContaining('127.0.0.1'),
    });
  }
  store.close();
});
