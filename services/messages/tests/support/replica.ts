import type { Bed } from '@najwa/testing';
import { loadConfig } from '../../src/config.js';
import { createContext, type MessagesContext } from '../../src/context.js';

/** Another replica of the bed's, without an open port. */
export async function openReplica(bed: Pick<Bed, 'environmentOf'>): Promise<MessagesContext> {
  const replica = await createContext(loadConfig(bed.environmentOf('messages')));
  await replica.database.connect();
  return replica;
}
