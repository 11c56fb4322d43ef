import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { expect, test } from '@jest/globals';
import { createMetrics } from '@najwa/common/metrics';
import { createPasswords } from './passwords.js';

test('callers whose limits are being counted are part of the crowd', async () => {
  const passwords = await createPasswords(createMetrics('test'), { isFair: true });
  const limits = new EventEmitter();
  limits.setMaxListeners(Infinity);
  const flood = Array.from({ length: 20 * availableParallelism() }, () =>
    passwords.approach(() => once(limits, 'counted')),
  );
  expect(passwords.isCrowded()).toBe(true);
  limits.emit('counted');
  await Promise.all(flood);
  expect(passwords.isCrowded()).toBe(false);
  await passwords.close();
});
