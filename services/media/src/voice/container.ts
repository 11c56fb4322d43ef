/** Containers that browsers record, by ffmpeg demuxer. */
export type Demuxer = 'matroska' | 'ogg' | 'mov' | 'wav';

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

export const SIGNATURE_BYTES = 12;

/** By the first bytes alone. */
export function detectContainer(head: Buffer): Demuxer | undefined {
  if (head.subarray(0, EBML.length).equals(EBML)) return 'matroska';
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('ftyp', 4)) return 'mov';
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav';
  return undefined;
}
