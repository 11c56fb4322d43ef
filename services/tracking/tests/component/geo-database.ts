import { Buffer } from 'node:buffer';

type Value = string | number | { [key: string]: Value } | Value[];

const METADATA_MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const EMPTY_SEPARATOR = Buffer.alloc(16);

const STRING = 2;
const UINT32 = 6;
const MAP = 7;
const ARRAY = 11;

function control(type: number, size: number): Buffer {
  const extended = type > 7 ? [0, type - 7] : [type];
  const [first = 0, ...rest] = extended;
  return size < 29 ? Buffer.from([(first << 5) | size, ...rest]) : Buffer.from([(first << 5) | 29, ...rest, size - 29]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(STRING, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(UINT32, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(MAP, entries.length),
    ...entries.flatMap(([key, member]) => [encode(key), encode(member)]),
  ]);
}

/** Builds a MaxMind DB, version 2.0, with one IPv4 address. https://maxmind.github.io/MaxMind-DB/ */
export function geoDatabase(ipAddress: string, data: Value): Buffer {
  const bits = ipAddress
    .split('.')
    .flatMap((octet) => Number(octet).toString(2).padStart(8, '0').split('').map(Number));
  const nodeCount = bits.length;
  const tree = Buffer.alloc(nodeCount * 8);
  bits.forEach((bit, index) => {
    // A record equal to the number of nodes means "not found". A greater one, past the separator, points at the data.
    const next = index === nodeCount - 1 ? nodeCount + EMPTY_SEPARATOR.length : index + 1;
    tree.writeUInt32BE(bit === 0 ? next : nodeCount, index * 8);
    tree.writeUInt32BE(bit === 1 ? next : nodeCount, index * 8 + 4);
  });
  const metadata = {
    node_count: nodeCount,
    record_size: 32,
    ip_version: 4,
    database_type: 'Test-City',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    description: {},
  };
  return Buffer.concat([tree, EMPTY_SEPARATOR, encode(data), METADATA_MARKER, encode(metadata)]);
}
