/** The containers in which browsers record, as ffmpeg names their demuxers. */
export type Demuxer = 'matroska' | 'ogg' | 'mov' | 'wav';

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

/** How much of a recording says what it is in. */
export const SIGNATURE_BYTES = 12;

/** What a recording is in, by its first bytes and nothing else, or undefined for what we do not take. */
export function recogniseContainer(head: Buffer): Demuxer | undefined {
  if (head.subarray(0, EBML.length).equals(EBML)) return 'matroska';
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('ftyp', 4)) return 'mov';
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav';
  return undefined;
}
