import type { MediaContext } from '../context.js';
import { finishRemoval } from './pictures.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * For how long a picture may wait for the message that names it. Far more than a message takes: an event held up by an
 * outage still finds its picture.
 */
export const UNCLAIMED_LIFETIME_MS = DAY_MS;

/** For how long a late or repeated event finds the tombstone of a picture. Brokers give up far earlier. */
export const TOMBSTONE_LIFETIME_MS = 7 * DAY_MS;

const BATCH = 200;

/** Clears away what nothing else does: pictures without a message, removals that were interrupted, and old tombstones. */
export async function sweep(context: MediaContext, now: Date): Promise<void> {
  const { pictures, blobs, bus } = context;
  const before = (lifetimeMs: number): Date => new Date(now.getTime() - lifetimeMs);

  // While events cannot arrive, no picture can be claimed, and its age says nothing.
  if (bus.isConnected()) await pictures.abandonUnclaimed(before(UNCLAIMED_LIFETIME_MS), now, BATCH);
  for (const name of await pictures.findNames('abandoned', BATCH)) {
    await blobs.remove(name);
    await pictures.forget(name);
  }
  for (const name of await pictures.findNames('removing', BATCH)) await finishRemoval(context, name);
  await pictures.forgetRemoved(before(TOMBSTONE_LIFETIME_MS));
}
