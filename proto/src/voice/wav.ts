const HEADER_BYTES = 44;
const PCM = 1;

/** 16-bit mono PCM. */
export function writeWav(pcm: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEADER_BYTES + 2 * pcm.length);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string) => file.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, 2 * pcm.length, true);
  pcm.forEach((sample, index) => {
    view.setInt16(HEADER_BYTES + 2 * index, sample, true);
  });
  return file;
}
