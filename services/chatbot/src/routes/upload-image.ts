import { createHash } from 'node:crypto';
import { identityOf, readSubmission } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { ChatbotContext } from '../context.js';
import { uploadPicture } from '../domain/pictures.js';
import { readImageForm } from './image-form.js';

/** POST /api/chat/upload */
export function uploadImageRoute(context: ChatbotContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const image = await readImageForm(request);
    const submission = readSubmission(request.get('idempotency-key'), identity, [
      createHash('sha256').update(image).digest('base64url'),
    ]);
    const name = await uploadPicture(context, image, identity, submission);
    response.status(201).json({ success: true, image: { url: `/image/${name}` } });
  };
}
