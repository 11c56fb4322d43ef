import { id } from '@najwa/common/errors';
import { z } from 'zod';

/** A message has its recipient and at most one sender. */
const MAX_READERS = 10;

export const storageKey = z.string().regex(/^[a-z0-9-]{16,64}$/, 'not_a_key');
export const readerIds = z.array(id).max(MAX_READERS, 'too_many');
export const senderKey = z.string({ error: 'required' }).min(1, 'required');

/** Older callers send no site. */
export const senderSite = z.string().min(1, 'required').optional();
