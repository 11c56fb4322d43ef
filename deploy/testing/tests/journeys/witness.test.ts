// Long run: the witness of every scene.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { differences } from '../support/views.js';
import {
  beginScene,
  databases,
  hiddenFrom,
  newVisitor,
  observersOf,
  play,
  SCENES,
  SECRETS,
  settle,
  site,
  startWitness,
  stopWitness,
  viewOf,
  WORD,
} from '../support/witness.js';
import { newPerson } from '../support/world.js';

// Up to two scenes. A play that went on after its test would disturb the next one.
jest.setTimeout(900_000);

beforeAll(startWitness);
afterAll(stopWitness);

/** Messages that each writer sends: a page of the inbox. */
const ORNAMENTS = 10;

// Threat model: owner-12.
test('an ornament is the same whoever wrote the message that has its id', async () => {
  await beginScene();
  const { account, headers } = await newPerson(site);
  const numbers = databases.messages.collection<{ _id: string; value: number }>('counters');
  const last = (await numbers.findOne({ _id: 'messages' }))?.value ?? 0;
  const drawn: (readonly unknown[])[] = [];
  for (const writer of [await newPerson(site), await newPerson(site), newVisitor()]) {
    // The same ids again, as if the writer before had not been there.
    await databases.messages.collection('messages').deleteMany({ id: { $gt: last } });
    await numbers.updateOne({ _id: 'messages' }, { $set: { value: last } });
    for (let count = 0; count < ORNAMENTS; count += 1)
      await site.sendMessage(account.id, { content: `${WORD} ${count}` }, { headers: writer.headers });
    const { body } = await site.request('GET', '/api/messages', { headers });
    drawn.push((body as { id: number; ornament: string }[]).map(({ id, ornament }) => [id, ornament]));
  }
  expect(drawn[0]).toHaveLength(ORNAMENTS);
  expect(drawn[1]).toEqual(drawn[0]);
  expect(drawn[2]).toEqual(drawn[0]);
  // Late tracking would take ids of the next scene.
  await settle();
});

test('a scene looks the same when it is played twice', async () => {
  const observers = observersOf('an account writes');
  const views = await play(SCENES['an account writes'], observers);
  for (const observer of observers)
    expect([observer, differences(views.get(observer) ?? [], await viewOf('an account writes', observer))]).toEqual([
      observer,
      [],
    ]);
});

describe.each(SECRETS)('that $scene', ({ scene, without, except }) => {
  // Threat model: owner-1, owner-13, owner-21, visitor-3, network-6.
  test.each(hiddenFrom({ scene, without, except }))('is hidden from %s', async (observer) => {
    expect(differences(await viewOf(scene, observer), await viewOf(without, observer))).toEqual([]);
  });
});
