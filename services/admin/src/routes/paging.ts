import type { Request, Response } from 'express';
import { idInPath } from '@najwa/common';
import { z } from 'zod';

/** The query parameters of every list. */
export const pageQuery = {
  before: idInPath.optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'out_of_range')
    .default('10')
    .transform(Number),
};

/** Says in `Link` where the next page begins. @param nextBefore 0 when this is the last one */
export function linkNextPage(request: Request, response: Response, nextBefore: number): void {
  if (nextBefore === 0) return;
  const query = new URLSearchParams(request.query as Record<string, string>);
  query.set('before', String(nextBefore));
  response.set('Link', `<${request.path}?${query.toString()}>; rel="next"`);
}

/** Says in `X-Total-Count` how many there are on all pages together, where that is known. */
export function tellTotal(response: Response, total: number | undefined): void {
  if (total !== undefined) response.set('X-Total-Count', String(total));
}
