import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedBed, type Bed, type BedAccount } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { PART_BYTES, readArchive, storeArchive } from '../../src/exports/archive.js';
import { createExport } from '../../src/exports/jobs.js';
import { openReplica } from '../support/replica.js';

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
  owner = await bed.newAccount();
});

afterAll(async () => {
  replica.media.close();
  await replica.database.close();
});

const inAMinute = (): Date => new Date(Date.now() + 60_000);

/** An export that another worker gathers. */
const newJob = () => ({
  id: Number(`0x${randomBytes(6).toString('hex')}`),
  userId: owner.id,
  language: 'ar' as const,
  status: 'gathering' as const,
  progress: 0,
  tries: 1,
  archive: randomUUID(),
  takeAt: inAMinute(),
  file: null,
  expiresAt: inAMinute(),
});

test('an archive is read to its end where that is the end of a part', async () => {
  const job = newJob();
  const bytes = randomBytes(PART_BYTES);
  const content = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  };
  const file = await storeArchive(replica, job, content(), AbortSignal.timeout(60_000));
  const parts: Buffer[] = [];
  for await (const part of readArchive(replica, job.id, file)) parts.push(part);
  expect(Buffer.concat(parts).equals(bytes)).toBe(true);
});

test('an export that another request began meanwhile is refused as running', async () => {
  await replica.database.connection.collection('export_jobs').insertOne(newJob());
  await expect(createExport(replica, owner.id, 'ar')).rejects.toMatchObject({ code: 'export_running' });
});
