import { expect, test } from '@jest/globals';
import { createPublicAnswers, publicAnswer, type PublicAnswer } from './public-answers.js';

const profile = (id: number) => publicAnswer(200, [], Buffer.from(JSON.stringify({ id, name: 'ليلى' })));
const missing = publicAnswer(404, [], Buffer.from('{}'));
const messages = publicAnswer(200, [], Buffer.from('[]'));

async function filled(entries: Record<string, PublicAnswer>) {
  const answers = createPublicAnswers({ isSubscribed: () => true });
  for (const [key, answer] of Object.entries(entries)) await answers.load(key, () => Promise.resolve(answer));
  return { answers, cachedKeys: () => Object.keys(entries).filter((key) => answers.peek(key) !== undefined) };
}

test('drops a changed profile by its id, and no other', async () => {
  const { answers, cachedKeys } = await filled({
    'users/layla': profile(7),
    'users/omar': profile(8),
    'messages/7': messages,
  });
  answers.profileChanged(7);
  expect(cachedKeys()).toEqual(['users/omar', 'messages/7']);
});

test('a new profile drops the answers that a profile does not exist', async () => {
  const { answers, cachedKeys } = await filled({ 'users/layla': profile(7), 'users/omar': missing });
  answers.profileCreated();
  expect(cachedKeys()).toEqual(['users/layla']);
});

test('changed messages drop every page of their owner', async () => {
  const { answers, cachedKeys } = await filled({
    'messages/7': messages,
    'messages/7?before=9': messages,
    'messages/77': messages,
    'users/layla': profile(7),
  });
  answers.messagesChanged(7);
  expect(cachedKeys()).toEqual(['messages/77', 'users/layla']);
});

test('caches only found and missing answers', async () => {
  const { cachedKeys } = await filled({
    'users/a': publicAnswer(503, [], Buffer.from('{}')),
    'users/b': publicAnswer(422, [], Buffer.from('{}')),
    'users/c': missing,
  });
  expect(cachedKeys()).toEqual(['users/c']);
});
