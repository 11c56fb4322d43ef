/** The first bytes of the formats that the server may take, as Latin-1. */
const FORMATS = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
  ['image/avif', /^....ftypavi[fs]/s],
  ['image/heic', /^....ftyp(hei|hev|mif1|msf1)/s],
] as const;

const LONGEST = 12;

/** A file with the type that its first bytes have, or as it is. */
export async function withType(file: File): Promise<File> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, LONGEST).arrayBuffer()));
  const [type] = FORMATS.find(([, bytes]) => bytes.test(head)) ?? [];
  return type === undefined ? file : new File([file], file.name, { type });
}
