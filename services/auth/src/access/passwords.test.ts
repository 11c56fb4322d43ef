import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { expect, test } from '@jest/globals';
import { Metrics } from '@najwa/common/metrics';
import { callerSender, Passwords } from './passwords.js';

test('callers count as waiting while their limits are checked', async () => {
  const passwords = await Passwords.create(new Metrics('test'), { isFair: true });
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

test('a known device does not wait behind unknown senders of many sites', async () => {
  const passwords = await Passwords.create(new Metrics('test'), { isFair: true });
  const done: string[] = [];
  const check = async (ip: string, isKnown: boolean): Promise<void> => {
    await passwords.verify(undefined, 'a guess', callerSender(ip, isKnown));
    done.push(ip);
  };
  const sites = 8 * availableParallelism();
  // A slow machine may refuse the last ones, which wait for too long.
  const strangers = Promise.allSettled(Array.from({ length: sites }, (_, site) => check(`198.51.${site}.1`, false)));
  await check('192.0.2.1', true);
  expect(done.length).toBeLessThan(sites / 2);
  await strangers;
  await passwords.close();
});
