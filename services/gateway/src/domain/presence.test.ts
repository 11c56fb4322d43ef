import { expect, test } from '@jest/globals';
import { OPERATION_IDS } from '@najwa/proto/http/client';
import { createPresenceUpdates } from './presence.js';

// Threat model: owner-8.
test('an account is online by reading its inbox or its sessions, and by nothing else', () => {
  const online: number[] = [];
  const presence = createPresenceUpdates(({ userId }) => online.push(userId));
  for (const [index, id] of OPERATION_IDS.entries()) presence.note(index, id, '/api/any');
  presence.note(OPERATION_IDS.length, 'listMessages', '/api/messages?ids=7,8');
  expect(online.map((index) => OPERATION_IDS[index]).toSorted()).toEqual(['listMessages', 'listSessions']);
});
