/** The containers in which browsers record, as ffmpeg names their demuxers. */
export type Demuxer = 'matroska' | 'ogg' | 'mov' | 'wav';

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

/** Bytes at the start of a file that identify its container. */
export const SIGNATURE_BYTES = 12;

/** Detects the container by its first bytes alone. Undefined if it is not an accepted one. */
export function detectContainer(head: Buffer): Demuxer | undefined {
  if (head.subarray(0, EBML.length).equals(EBML)) return 'matroska';
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('ftyp', 4)) return 'mov';
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav';
  return undefined;
}
