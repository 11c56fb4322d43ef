import { identityOf } from '@najwa/common';
import type { RequestHandler } from 'express';

/** GET /api/auth-status */
export const getAuthStatusRoute: RequestHandler = (_request, response) => {
  response.json({ authenticated: identityOf(response).user !== null });
};
