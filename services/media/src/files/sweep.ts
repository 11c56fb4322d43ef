import { randomUUID } from 'node:crypto';
import { createEvent, type EventBus } from '@najwa/common/amqp';
import type { SweepBounds } from '@najwa/common/service';
import type { DataKeys } from '@najwa/product';
import { RETENTION } from '@najwa/proto/http';
import { removeExpiredArchives, type ArchivesDeps } from '../archives/archives.js';
import { PREVIEW_LIFETIME_MS } from '../sounds/sounds.js';
import type { KeptRecord, Lifecycle } from '../store/lifecycle.js';
import type { FilesDeps } from './message-media.js';
import { finishRemoval, removeBytes } from './removal.js';

export interface SweepDeps extends FilesDeps, ArchivesDeps {
  bus: Pick<EventBus, 'isConnected' | 'publish'>;
  bounds: SweepBounds;
  dataKeys: DataKeys;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Allows for events delayed by an outage. */
export const UNCLAIMED_LIFETIME_MS = RETENTION.unclaimedFileHours * HOUR_MS;

/** Guards against late and repeated events. Brokers give up much earlier. */
export const TOMBSTONE_LIFETIME_MS = 7 * DAY_MS;

/** After an outage, delayed events have this long to claim their files. */
const CATCH_UP_MS = HOUR_MS;

const ASK_AGAIN_MS = HOUR_MS;

const BATCH = 200;

export async function sweep(deps: SweepDeps, now: Date): Promise<void> {
  const { pictures, sounds, dataKeys, bus } = deps;
  const late = (lifetimeMs: number) => ({ since: before(now, lifetimeMs), now, limit: BATCH });

  await inBatches(() => sounds.abandonUnclaimed({ kinds: ['preview'], ...late(PREVIEW_LIFETIME_MS) }));
  // Claimed by its question, not by an event.
  await inBatches(() => pictures.abandonUnclaimed({ kinds: ['chat'], ...late(UNCLAIMED_LIFETIME_MS) }));
  await removeEnded(deps, pictures, now);
  await removeEnded(deps, sounds, now);
  await removeExpiredArchives(deps, now);
  await dataKeys.sweep(now);
  // Without the broker no event can claim a file, so age does not count.
  if (bus.isConnected(CATCH_UP_MS)) await askForUnclaimed(deps, now);
}

/**
 * Asks messages and auth about unclaimed files. The claiming event may be parked for days, so only files that their
 * owner disowns are removed.
 */
async function askForUnclaimed({ pictures, sounds, bounds, bus }: SweepDeps, now: Date): Promise<void> {
  const unclaimed = { since: before(now, UNCLAIMED_LIFETIME_MS), now, limit: BATCH };
  const [images, avatars, voices] = [
    { kinds: ['message' as const], ...unclaimed },
    { kinds: ['avatar' as const], ...unclaimed },
    { kinds: ['message' as const], ...unclaimed },
  ];
  const count = {
    due: async (limit: number) =>
      (await pictures.countUnclaimed(images, limit)) +
      (await pictures.countUnclaimed(avatars, limit)) +
      (await sounds.countUnclaimed(voices, limit)),
    total: async () => (await pictures.estimateTotal()) + (await sounds.estimateTotal()),
  };
  if (!(await bounds.allows('files', count, now))) return;
  const askAgainBefore = before(now, ASK_AGAIN_MS);
  await inBatches(async () => {
    const names = [
      await pictures.beginAsking(images, askAgainBefore),
      await sounds.beginAsking(voices, askAgainBefore),
      await pictures.beginAsking(avatars, askAgainBefore),
    ] as const;
    const value = { messageFiles: [...names[0], ...names[1]], avatars: names[2] };
    if (value.messageFiles.length + value.avatars.length > 0)
      await bus.publish([createEvent(randomUUID(), { $case: 'filesUnclaimed', value })]);
    return Math.max(...names.map(({ length }) => length));
  });
}

type Clearable = Pick<
  Lifecycle<KeptRecord>,
  'keysOf' | 'findNames' | 'forget' | 'forgetRemoved' | 'beginRemoval' | 'finishRemoval'
>;

async function removeEnded({ blobs }: SweepDeps, records: Clearable, now: Date): Promise<void> {
  await inBatches(async () => {
    const names = await records.findNames('abandoned', BATCH);
    for (const name of names) {
      await removeBytes(blobs, records, name);
      await records.forget(name);
    }
    return names.length;
  });
  await inBatches(async () => {
    const names = await records.findNames('removing', BATCH);
    for (const name of names) await finishRemoval(blobs, records, name);
    return names.length;
  });
  await records.forgetRemoved(before(now, TOMBSTONE_LIFETIME_MS));
}

/**
 * Repeats until done: one batch per sweep might not keep up.
 * @param step returns how many files it found
 */
async function inBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) === BATCH);
}

const before = (now: Date, lifetimeMs: number): Date => new Date(now.getTime() - lifetimeMs);
