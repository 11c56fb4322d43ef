import type { Request, Response } from 'express';

interface Exchange {
  request: Request;
  response: Response;
}

/**
 * Takes a page of what was found, and sets the `Link` header to the next one if there is more.
 * @param found at most one entry more than the page holds
 */
export function takePage<T>(call: Exchange, found: T[], limit: number, idOf: (entry: T) => number): T[] {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last !== undefined) linkNextPage(call, idOf(last));
  return page;
}

/** Sets the `Link` header to the next page. @param before its cursor; 0 on the last page */
export function linkNextPage({ request, response }: Exchange, before: number): void {
  if (before === 0) return;
  const next = new URLSearchParams(request.query as Record<string, string>);
  next.set('before', String(before));
  response.set('Link', `<${request.path}?${next.toString()}>; rel="next"`);
}

/** Sets `X-Total-Count` to the number of entries on all pages, if it is known. */
export function setTotal({ response }: Pick<Exchange, 'response'>, total: number | undefined): void {
  if (total !== undefined) response.set('X-Total-Count', String(total));
}
