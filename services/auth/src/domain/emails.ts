import { z } from 'zod';

const MAX_LENGTH = 254;

/** Kept in small letters: no mail service that people use tells capitals apart, and a lookalike must not be a second address. */
export const email = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .max(MAX_LENGTH, 'too_long')
  .transform((text) => text.normalize('NFC').toLowerCase())
  .pipe(z.email('not_an_email'));
