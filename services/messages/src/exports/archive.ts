import { randomBytes } from 'node:crypto';
import type { ByteRange } from '@najwa/common/http';
import { decryptBytes, encryptBytes } from '@najwa/common/sealing';
import type { DataKeys } from '@najwa/product';
import type { MediaClient } from '../clients/media.js';
import type { ExportFile, ExportRecord, TakenExport } from './export-store.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

/** Media stores the bytes under keys that reveal nothing. */
export interface ArchiveDeps {
  media: MediaClient;
  dataKeys: DataKeys;
}

export const PART_BYTES = 1024 * 1024;
const KEY_BYTES = 32;

const keyOwner = (id: number): string => `export ${id}`;
/** Binds a part to its position, so that the store cannot swap parts unnoticed. */
const partOwner = (archive: string, index: number): string => `part ${index} of ${archive}`;

/** Only the last part may be shorter. */
async function* cut(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES) continue;
    let rest = Buffer.concat(waiting);
    for (; rest.length >= PART_BYTES; rest = rest.subarray(PART_BYTES)) yield rest.subarray(0, PART_BYTES);
    waiting = [rest];
    length = rest.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

export async function storeArchive(
  { media, dataKeys }: ArchiveDeps,
  { id, userId, archive, expiresAt }: TakenExport,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<ExportFile> {
  const key = randomBytes(KEY_BYTES);
  let [size, index] = [0, 0];
  for await (const part of cut(bytes)) {
    const content = encryptBytes(key, part, partOwner(archive, index));
    const request = { archive, index, content, ownerId: userId, expiresAt };
    await retryWhileUnavailable(() => media.storeArchivePart(request), signal);
    size += part.length;
    index += 1;
  }
  return { archive, size, key: (await dataKeys.permanentKey()).seal(key, keyOwner(id)) };
}

export async function* readArchive(
  { media, dataKeys }: ArchiveDeps,
  id: ExportRecord['id'],
  { archive, size, key: sealed }: ExportFile,
  { start, end }: ByteRange = { start: 0, end: size - 1 },
): AsyncGenerator<Buffer> {
  const key = (await dataKeys.permanentKey()).open(sealed, keyOwner(id));
  for (let index = Math.floor(start / PART_BYTES); index * PART_BYTES <= end; index += 1) {
    const { content } = await media.getArchivePart({ archive, index });
    const offset = index * PART_BYTES;
    const part = decryptBytes(key, content, partOwner(archive, index));
    yield part.subarray(Math.max(0, start - offset), end - offset + 1);
  }
}
