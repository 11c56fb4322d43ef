import { id } from '@najwa/common/errors';
import { z } from 'zod';

/** A message has a recipient and perhaps a sender with an account. */
const MAX_READERS = 10;

export const storageKey = z.string().regex(/^[a-z0-9-]{16,64}$/, 'not_a_key');
export const readerIds = z.array(id).max(MAX_READERS, 'too_many');
export const senderKey = z.string({ error: 'required' }).min(1, 'required');

/** A caller of before names no site: then its senders count by themselves. */
export const senderSite = z.string().min(1, 'required').optional();
