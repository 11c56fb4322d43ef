import { AppError, signedInIdentityOf, type SignedInIdentity } from '@najwa/common';
import type { Response } from 'express';

/** The administrator who makes the request. @throws {AppError} `not_signed_in`, `not_allowed` */
export function administratorOf(response: Response): SignedInIdentity {
  const identity = signedInIdentityOf(response);
  if (!identity.user.isAdmin) throw new AppError({ code: 'not_allowed', message: 'This is for administrators only.' });
  return identity;
}
