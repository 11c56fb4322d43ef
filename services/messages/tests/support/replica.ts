import type { Bed } from '@najwa/testing';
import { loadConfig } from '../../src/config.js';
import { createContext, type MessagesContext } from '../../src/context.js';

/** Another replica of the bed's, without an open port. */
export async function openReplica(bed: Pick<Bed, 'environmentOf'>): Promise<MessagesContext> {
  const replica = await createContext(loadConfig(bed.environmentOf('messages')));
  await replica.database.connect();
  return replica;
}

/** The part of a replica with other methods in place of some of its own. */
export const replacing = <Part extends object>(part: Part, methods: Partial<Part>): Part =>
  new Proxy(part, {
    get(target, name) {
      if (name in methods) return Reflect.get(methods, name) as unknown;
      const own: unknown = Reflect.get(target, name, target);
      // Private fields are found on the part alone.
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
