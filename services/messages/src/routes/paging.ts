import type { Request, Response } from 'express';
import { z } from 'zod';
import type { MessageRecord, Page } from '../db/messages.js';

/** The query parameters of every list. */
export const pageQuery = {
  sort: z.enum(['newest', 'oldest'], { error: 'not_a_choice' }).default('newest'),
  before: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'not_an_id')
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'out_of_range')
    .default('10')
    .transform(Number),
};

/** Of the lists of an account's own messages. */
export const readFilter = z.enum(['all', 'unread', 'read'], { error: 'not_a_choice' }).default('all');

export interface PageQuery {
  sort: Page['order'];
  before?: number | undefined;
  limit: number;
}

/** Reads one more than the page holds, to know whether another follows, and then says where it begins in `Link`. */
export async function readPage(
  request: Request,
  response: Response,
  { sort, before, limit }: PageQuery,
  read: (page: Page) => Promise<MessageRecord[]>,
): Promise<MessageRecord[]> {
  const found = await read({ order: sort, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last) {
    const query = new URLSearchParams(request.query as Record<string, string>);
    query.set('before', String(last.id));
    response.set('Link', `<${request.path}?${query.toString()}>; rel="next"`);
  }
  return page;
}
