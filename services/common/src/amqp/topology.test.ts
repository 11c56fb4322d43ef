import { expect, test } from '@jest/globals';
import { MessageCreated, SessionEnded } from '@najwa/proto/events';
import { bindingKey, namesFor, routingKey } from './topology.js';

const created = (files: { imageName?: string; audioName?: string }) =>
  routingKey({ $case: 'messageCreated', value: MessageCreated.fromJSON({ message: files }) });

test('a routing key is the name of the event with dots', () => {
  expect(routingKey({ $case: 'sessionEnded', value: SessionEnded.fromJSON({}) })).toBe('session.ended');
});

test('the routing key of a new message shows whether it has a file', () => {
  expect(created({})).toBe('message.created.text');
  expect(created({ imageName: 'a.webp' })).toBe('message.created.file');
  expect(created({ audioName: 'a.m4a' })).toBe('message.created.file');
});

test('media is bound to new messages with a file, others to all of them', () => {
  expect(bindingKey('messageCreated', 'media')).toBe('message.created.file');
  expect(bindingKey('messageCreated', 'tracking')).toBe('message.created.*');
  expect(bindingKey('userUpdated', 'media')).toBe('user.updated');
});

test('the names of two systems on one broker differ', () => {
  const [one, two] = [namesFor('one'), namesFor('two')];
  expect(one.exchange).not.toBe(two.exchange);
  expect(one.queue('tracking')).not.toBe(two.queue('tracking'));
  expect(one.parkedQueue('tracking')).not.toBe(one.queue('tracking'));
});
