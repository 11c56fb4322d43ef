import { AppError } from '../errors.js';

const MEGABYTE = 1024 * 1024;

const IMAGE_DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The bytes of a picture sent as a data URL. What it says of its type is not believed; media looks at the content.
 * @param field of the input, for the fault
 * @param maxBytes of the picture
 * @throws {AppError} `unsupported_image`, `image_too_large`
 */
export function readImageDataUrl(dataUrl: string, field: string, maxBytes: number): Buffer {
  const prefix = IMAGE_DATA_URL.exec(dataUrl)?.[0];
  const encoded = prefix === undefined ? '' : dataUrl.slice(prefix.length);
  if (!BASE64.test(encoded)) throw new AppError({ code: 'unsupported_image', message: 'Unsupported file type', fields: { [field]: 'unsupported_image' } });
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > maxBytes) {
    throw new AppError({ code: 'image_too_large', message: `Image should be less than ${maxBytes / MEGABYTE}MB`, fields: { [field]: 'image_too_large' } });
  }
  return bytes;
}
