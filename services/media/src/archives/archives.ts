import { buffer } from 'node:stream/consumers';
import { TEMPORARY_OBJECTS } from '@najwa/common/retention';
import { RETENTION } from '@najwa/proto/http';
import type { BlobStore } from '../clients/blob-store.js';
import type { ArchiveRecord, ArchiveRepository } from './archive-store.js';

export interface ArchivesDeps {
  archives: ArchiveRepository;
  blobs: BlobStore;
}

const CONCURRENCY = 8;
const BATCH = 20;

const keyOf = (archive: string, index: number): string => `${TEMPORARY_OBJECTS}${archive}/${index}`;

export async function storeArchivePart(
  { archives, blobs }: ArchivesDeps,
  archive: Omit<ArchiveRecord, 'parts'>,
  index: number,
  content: Buffer,
): Promise<void> {
  await archives.reserve(archive, index);
  await blobs.put(keyOf(archive.name, index), content, 'application/octet-stream');
  // Recreates the record if the archive was removed before these bytes came.
  await archives.reserve(archive, index);
}

/** @returns null if missing or expired */
export async function readArchivePart(
  { archives, blobs }: ArchivesDeps,
  name: string,
  index: number,
): Promise<Buffer | null> {
  const found = await archives.find(name);
  if (found === null || index >= found.parts || found.expiresAt <= new Date()) return null;
  const body = await blobs.open(keyOf(name, index));
  return body && buffer(body);
}

/** Removes the record last, so that it is idempotent. */
export async function removeArchive(deps: ArchivesDeps, name: string): Promise<void> {
  const { archives } = deps;
  for (let found = await archives.find(name); found !== null; found = await archives.find(name))
    await removeParts(deps, found);
}

const LIFETIME_MS = RETENTION.exportHours * 60 * 60 * 1000;

/** @param until later archives belong to a new account with this id */
export async function removeArchivesOf(deps: ArchivesDeps, ownerId: number, until: Date): Promise<void> {
  for (const archive of await deps.archives.findOf(ownerId))
    if (archive.expiresAt.getTime() - LIFETIME_MS <= until.getTime()) await removeParts(deps, archive);
}

export async function removeExpiredArchives(deps: ArchivesDeps, now: Date): Promise<void> {
  let expired: ArchiveRecord[];
  do {
    expired = await deps.archives.findExpired(now, BATCH);
    for (const archive of expired) await removeParts(deps, archive);
  } while (expired.length === BATCH);
}

async function removeParts({ archives, blobs }: ArchivesDeps, archive: ArchiveRecord): Promise<void> {
  for (let from = 0; from < archive.parts; from += CONCURRENCY) {
    const indexes = Array.from({ length: Math.min(CONCURRENCY, archive.parts - from) }, (_, offset) => from + offset);
    await Promise.all(indexes.map((index) => blobs.remove(keyOf(archive.name, index))));
  }
  await archives.forget(archive);
}
