import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  /** ASCII. */
  name: string;
  /** Buffers are stored uncompressed. */
  input: Buffer | AsyncIterable<string>;
}

const [ZIP64, PLAIN] = [45, 20];
const MAX_32 = 0xffff_ffff;

/**
 * Packs little-endian integers; each digit is a width in bytes. Overflow becomes the maximum, which refers to Zip64.
 */
function pack(widths: string, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(64);
  let at = 0;
  for (const [index, value] of values.entries()) {
    const width = Number(widths[index]);
    bytes.writeUIntLE(Math.min(value, 2 ** (8 * width) - 1), at, Math.min(width, 6));
    at += width;
  }
  return bytes.subarray(0, at);
}

/** MS-DOS date and time, UTC. */
const stamp = (at: Date): number =>
  ((((at.getUTCFullYear() - 1980) << 25) | ((at.getUTCMonth() + 1) << 21) | (at.getUTCDate() << 16)) >>> 0) +
  ((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1));

/**
 * Streaming readers reject stored data whose size follows it, so text is deflated and buffers declare their size first.
 */
export async function* makeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const madeAt = stamp(new Date());
  const directory: Buffer[] = [];
  let offset = 0;
  const count = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    return bytes;
  };
  for await (const { name, input } of entries) {
    const start = offset;
    const isStored = Buffer.isBuffer(input);
    let [checksum, size] = isStored ? [crc32(input), input.length] : [0, 0];
    // Flag 8: checksum and sizes follow the data. Method 8: deflate.
    const mode = isStored ? 0 : 8;
    const head = (version: number, packed: number, extra: number): Buffer =>
      pack('222444422', version, mode, mode, madeAt, checksum, packed, size, name.length, extra);
    yield count(Buffer.concat([pack('4', 0x04034b50), head(PLAIN, size, 0), Buffer.from(name)]));
    const dataStart = offset;
    if (isStored) yield count(input);
    else {
      const read = async function* (): AsyncGenerator<Buffer> {
        for await (const text of input) {
          const bytes = Buffer.from(text);
          checksum = crc32(bytes, checksum);
          size += bytes.length;
          yield bytes;
        }
      };
      for await (const bytes of pipeline(read, createDeflateRaw(), () => undefined)) yield count(bytes as Buffer);
    }
    const packed = offset - dataStart;
    if (!isStored) yield count(pack(size > MAX_32 ? '4488' : '4444', 0x08074b50, checksum, packed, size));
    const large = [size, packed, start].filter((value) => value >= MAX_32);
    const extra = large.length > 0 ? pack('22888', 1, 8 * large.length, ...large) : Buffer.alloc(0);
    const version = extra.length > 0 ? ZIP64 : PLAIN;
    const record = [
      pack('42', 0x02014b50, version),
      head(version, packed, extra.length),
      pack('22244', 0, 0, 0, 0, start),
    ];
    directory.push(Buffer.concat([...record, Buffer.from(name), extra]));
  }
  const start = offset;
  for (const entry of directory) yield count(entry);
  const [end, { length }] = [offset, directory];
  if (length >= 0xffff || start >= MAX_32) {
    yield pack('4822448888', 0x06064b50, 44, ZIP64, ZIP64, 0, 0, length, length, end - start, start);
    yield pack('4484', 0x07064b50, 0, end, 1);
  }
  yield pack('42222442', 0x06054b50, 0, 0, length, length, end - start, start, 0);
}
