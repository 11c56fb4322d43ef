import { expect, test } from '@jest/globals';
import { createPublicAnswers, publicAnswer, type PublicAnswer } from './public-answers.js';

const profile = (id: number) => publicAnswer(200, [], Buffer.from(JSON.stringify({ id, name: 'ليلى' })));
const missing = publicAnswer(404, [], Buffer.from('{}'));
const messages = publicAnswer(200, [], Buffer.from('[]'));

async function filled(entries: Record<string, PublicAnswer>) {
  const answers = createPublicAnswers({ hearsEvents: () => true });
  for (const [key, answer] of Object.entries(entries)) await answers.load(key, () => Promise.resolve(answer));
  return { answers, known: () => Object.keys(entries).filter((key) => answers.peek(key) !== undefined) };
}

test('a changed profile is dropped by its id, and no other', async () => {
  const { answers, known } = await filled({
    'users/layla': profile(7),
    'users/omar': profile(8),
    'messages/7': messages,
  });
  answers.profileChanged(7);
  expect(known()).toEqual(['users/omar', 'messages/7']);
});

test('a new profile drops what was not there before', async () => {
  const { answers, known } = await filled({ 'users/layla': profile(7), 'users/omar': missing });
  answers.profileCreated();
  expect(known()).toEqual(['users/layla']);
});

test('changed messages drop every page of their owner', async () => {
  const { answers, known } = await filled({
    'messages/7': messages,
    'messages/7?before=9': messages,
    'messages/77': messages,
    'users/layla': profile(7),
  });
  answers.messagesChanged(7);
  expect(known()).toEqual(['messages/77', 'users/layla']);
});

test('only what is there and what is not there is remembered', async () => {
  const { known } = await filled({
    'users/a': publicAnswer(503, [], Buffer.from('{}')),
    'users/b': publicAnswer(422, [], Buffer.from('{}')),
    'users/c': missing,
  });
  expect(known()).toEqual(['users/c']);
});
