import { expect, test } from '@jest/globals';
import { namesFor, routingKey } from './topology.js';

test('a routing key is the name of the event with dots', () => {
  expect(routingKey('messageCreated')).toBe('message.created');
  expect(routingKey('sessionEnded')).toBe('session.ended');
});

test('the names of two systems on one broker differ', () => {
  const [one, two] = [namesFor('one'), namesFor('two')];
  expect(one.exchange).not.toBe(two.exchange);
  expect(one.queue('tracking')).not.toBe(two.queue('tracking'));
  expect(one.parkedQueue('tracking')).not.toBe(one.queue('tracking'));
});
