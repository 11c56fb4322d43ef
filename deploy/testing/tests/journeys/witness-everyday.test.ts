import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { differences } from '../support/views.js';
import { SECRETS, startWitness, stopWitness, viewOf, type Observer } from '../support/witness.js';

beforeAll(startWitness);
afterAll(stopWitness);

/** Of all that `witness.test.ts` compares. No observer for whom pictures are painted. */
const FROM: readonly Observer[] = ['owner', 'stranger', 'moderator'];

describe.each(SECRETS.filter(({ scene }) => scene === 'a visitor writes'))('that $scene', ({ scene, without }) => {
  // Threat model: owner-1.
  test.each(FROM)('is hidden from %s', async (observer) => {
    expect(differences(await viewOf(scene, observer, FROM), await viewOf(without, observer, FROM))).toEqual([]);
  });
});
