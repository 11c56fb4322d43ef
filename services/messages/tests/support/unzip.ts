import assert from 'node:assert';
import { crc32, inflateRawSync } from 'node:zlib';

const [ENTRY, DESCRIPTOR, DIRECTORY] = ['504b0304', '504b0708', '504b0102'].map((hex) => Buffer.from(hex, 'hex'));

const isAt = (zip: Buffer, at: number, signature: Buffer | undefined): boolean =>
  signature?.equals(zip.subarray(at, at + 4)) === true;

/** Checksum and sizes of an entry, which lie alike in its head, its descriptor and the directory. */
const sumsAt = (zip: Buffer, at: number): number[] => [0, 4, 8].map((offset) => zip.readUInt32LE(at + offset));

function inflate(bytes: Buffer): { content: Buffer; packed: number } {
  const { buffer, engine } = inflateRawSync(bytes, { info: true }) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  return { content: buffer, packed: engine.bytesWritten };
}

/**
 * Reads a ZIP from its beginning, by the rules of Java's ZipInputStream: without the directory, an entry whose sizes follow it ends
 * where its deflated data end. Then compares the directory with what it found.
 */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const found: unknown[] = [];
  let at = 0;
  while (isAt(zip, at, ENTRY)) {
    const start = at;
    const [flags, method] = [zip.readUInt16LE(at + 6), zip.readUInt16LE(at + 8)];
    const sizesFollow = (flags & 8) !== 0;
    assert(method === 8 || (method === 0 && !sizesFollow), 'only DEFLATED entries can have EXT descriptor');
    const dataAt = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 30, at + 30 + zip.readUInt16LE(at + 26));
    const stored = zip.subarray(dataAt, dataAt + zip.readUInt32LE(at + 22));
    const { content, packed } =
      method === 8 ? inflate(zip.subarray(dataAt)) : { content: stored, packed: stored.length };
    const sums = [crc32(content), packed, content.length];
    const end = dataAt + packed;
    if (sizesFollow) assert(isAt(zip, end, DESCRIPTOR));
    assert.deepEqual(sumsAt(zip, sizesFollow ? end + 4 : start + 14), sums);
    files.set(name, content);
    found.push([name, start, method, ...sums]);
    at = end + (sizesFollow ? 16 : 0);
  }
  const listed: unknown[] = [];
  while (isAt(zip, at, DIRECTORY)) {
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, nameEnd);
    listed.push([name, zip.readUInt32LE(at + 42), zip.readUInt16LE(at + 10), ...sumsAt(zip, at + 16)]);
    at = nameEnd + zip.readUInt16LE(at + 30);
  }
  assert.deepEqual(listed, found);
  return files;
}
