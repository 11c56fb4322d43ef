import { AppError, readForm, validate } from '@najwa/common';
import type { Request } from 'express';
import { z } from 'zod';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Room for a picture that is too large, so that it is refused as what it is. */
const MAX_FILE_BYTES = 2 * MAX_IMAGE_BYTES;

const form = z.strictObject({ image: z.instanceof(Buffer, { error: 'required' }) });

async function receiveImage(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const received: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MAX_IMAGE_BYTES)
      throw new AppError({
        code: 'image_too_large',
        message: 'Image should be less than 5MB',
        fields: { image: 'image_too_large' },
      });
    received.push(piece);
  }
  return Buffer.concat(received);
}

/**
 * Reads a multipart form whose one field is a picture.
 * @throws {AppError} `unsupported_media_type`, `malformed`, `image_too_large`, `invalid_input`
 */
export async function readImageForm(request: Request): Promise<Buffer> {
  const { file, fields } = await readForm(request, { file: 'image', mostBytes: MAX_FILE_BYTES, receive: receiveImage });
  return validate(form, { ...fields, ...(file && { image: file }) }).image;
}
