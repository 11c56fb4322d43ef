/** HEIC and TIFF are detected only to explain the refusal. */
export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic' | 'tiff';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

const AVIF_BRANDS = ['avif', 'avis'];
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'];

/** Real files name fewer brands. */
const MAX_FILE_TYPE_BOX = 256;

/** By content only. */
export function detectFormat(content: Buffer): ImageFormat | undefined {
  if (content.subarray(0, PNG.length).equals(PNG)) return 'png';
  if (content.subarray(0, JPEG.length).equals(JPEG)) return 'jpeg';
  const head = content.toString('latin1', 0, 12);
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  if (/^(II\*\0|MM\0\*|II\+\0|MM\0\+)/.test(head)) return 'tiff';
  if (head.slice(4, 8) === 'ftyp') return detectByBrands(content);
  return undefined;
}

/** AVIF and HEIC share a container and often the brand mif1, so an AVIF brand wins. */
function detectByBrands(content: Buffer): ImageFormat | undefined {
  const end = Math.min(content.readUInt32BE(0), content.length, MAX_FILE_TYPE_BOX);
  const brands = [content.toString('latin1', 8, 12)];
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(content.toString('latin1', offset, offset + 4));
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif';
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return 'heic';
  return undefined;
}
