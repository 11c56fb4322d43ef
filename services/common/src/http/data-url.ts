import { AppError } from '../errors.js';

const MEGABYTE = 1024 * 1024;

const IMAGE_DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/;
const MAX_PADDING = /={0,2}$/;

/** Decodes base64, or answers undefined where there is anything else in it. An expression over millions of characters could exhaust its stack. */
function decode(encoded: string): Buffer | undefined {
  const padding = MAX_PADDING.exec(encoded.slice(-2))?.[0].length ?? 0;
  const bytes = Buffer.from(encoded, 'base64');
  // The decoder passes over what it does not know, and then the result is too short.
  return encoded !== '' && encoded.length % 4 === 0 && bytes.length === (encoded.length / 4) * 3 - padding
    ? bytes
    : undefined;
}

/**
 * The bytes of a picture sent as a data URL. What it says of its type is not believed; media looks at the content.
 * @param field of the input, for the fault
 * @param maxBytes of the picture
 * @throws {AppError} `unsupported_image`, `image_too_large`
 */
export function readImageDataUrl(dataUrl: string, field: string, maxBytes: number): Buffer {
  const prefix = IMAGE_DATA_URL.exec(dataUrl)?.[0];
  const bytes = prefix === undefined ? undefined : decode(dataUrl.slice(prefix.length));
  if (bytes === undefined)
    throw new AppError({
      code: 'unsupported_image',
      message: 'Unsupported file type',
      fields: { [field]: 'unsupported_image' },
    });
  if (bytes.length > maxBytes) {
    throw new AppError({
      code: 'image_too_large',
      message: `Image should be less than ${maxBytes / MEGABYTE}MB`,
      fields: { [field]: 'image_too_large' },
    });
  }
  return bytes;
}
