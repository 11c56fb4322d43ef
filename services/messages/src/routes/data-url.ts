import { AppError } from '@najwa/common';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

const IMAGE_DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The bytes of a picture sent as a data URL. What it says of its type is not believed; media looks at the content.
 * @throws {AppError} `unsupported_image`, `image_too_large`
 */
export function readImageDataUrl(dataUrl: string): Buffer {
  const prefix = IMAGE_DATA_URL.exec(dataUrl)?.[0];
  const encoded = prefix === undefined ? '' : dataUrl.slice(prefix.length);
  if (!BASE64.test(encoded)) throw new AppError({ code: 'unsupported_image', message: 'Unsupported file type', fields: { imageUrl: 'unsupported_image' } });
  if (Math.floor((encoded.length * 3) / 4) - 2 > MAX_IMAGE_BYTES) {
    throw new AppError({ code: 'image_too_large', message: 'Image should be less than 5MB', fields: { imageUrl: 'image_too_large' } });
  }
  return Buffer.from(encoded, 'base64');
}
