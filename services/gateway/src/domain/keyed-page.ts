import { crc32 } from 'node:zlib';
import { brotliOpen, gzipOpen, MIN_COMPRESSED_BYTES, type Encoding } from './compression.js';

/** Letters of a key: 128 bits in base64url. */
const KEY_LENGTH = 22;

const CLOSING = '</body>';

/**
 * The key stands behind everything else, so that a page that is compressed once for everyone gets another one for each
 * reader. `form` names the form that it belongs to (web/src/features/public-page/Composer.tsx).
 */
const tailOf = (key: string): string =>
  `<input type="hidden" name="key" form="message-form" value="${key}" /></body></html>`;

const TAIL_LENGTH = tailOf('-'.repeat(KEY_LENGTH)).length;

/** The end of a body, for each reader anew. */
export interface PageEnd {
  /** One character per byte. */
  write(key: string): string;
  length: number;
}

/** One form of a page without its end. */
export interface OpenPage {
  encoding: Encoding | undefined;
  body: Buffer;
  end: PageEnd;
}

const latin1 = (write: (buffer: Buffer) => void, size: number): string => {
  const buffer = Buffer.alloc(size);
  write(buffer);
  return buffer.toString('latin1');
};

/** A meta-block that is not compressed (RFC 7932, 9.2), and the empty one that is the last. */
const BROTLI_HEAD = latin1((head) => head.writeUIntLE(((TAIL_LENGTH - 1) << 3) | (1 << 19), 0, 3), 3);
const BROTLI_LAST = '\x03';

/** The last block, which is not compressed (RFC 1951, 3.2.4). */
const DEFLATE_HEAD = latin1((head) => {
  head.writeUInt8(1, 0);
  head.writeUInt16LE(TAIL_LENGTH, 1);
  head.writeUInt16LE(TAIL_LENGTH ^ 0xffff, 3);
}, 5);
const GZIP_TRAILER_BYTES = 8;

/** gzip ends with a checksum and the length of the whole text (RFC 1952, 2.3.1). */
function gzipEnd(html: Buffer): PageEnd {
  const checksum = crc32(html);
  return {
    length: DEFLATE_HEAD.length + TAIL_LENGTH + GZIP_TRAILER_BYTES,
    write(key) {
      const tail = tailOf(key);
      const trailer = latin1((end) => {
        end.writeUInt32LE(crc32(tail, checksum), 0);
        end.writeUInt32LE(html.length + TAIL_LENGTH, 4);
      }, GZIP_TRAILER_BYTES);
      return DEFLATE_HEAD + tail + trailer;
    },
  };
}

const PLAIN_END: PageEnd = { length: TAIL_LENGTH, write: tailOf };

const BROTLI_END: PageEnd = {
  length: BROTLI_HEAD.length + TAIL_LENGTH + BROTLI_LAST.length,
  write: (key) => BROTLI_HEAD + tailOf(key) + BROTLI_LAST,
};

/**
 * Prepares a page in all its forms, plain first, each to be ended with a key of its own. Compression runs once.
 * @param html with a body that is closed at its end
 */
export async function openPage(html: Buffer): Promise<OpenPage[]> {
  const end = html.lastIndexOf(CLOSING);
  const open = end === -1 ? html : html.subarray(0, end);
  const plain = { encoding: undefined, body: open, end: PLAIN_END };
  if (open.length < MIN_COMPRESSED_BYTES) return [plain];
  const [brotli, gzip] = await Promise.all([brotliOpen(open), gzipOpen(open)]);
  return [
    plain,
    { encoding: 'br', body: brotli, end: BROTLI_END },
    { encoding: 'gzip', body: gzip, end: gzipEnd(open) },
  ];
}
