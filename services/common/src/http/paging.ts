import type { Request, Response } from 'express';

interface Exchange {
  request: Request;
  response: Response;
}

/**
 * Sets the `Link` header if there is a next page.
 * @param found one entry more than a page if there is more
 */
export function takePage<T>(call: Exchange, found: T[], limit: number, idOf: (entry: T) => number): T[] {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last !== undefined) linkNextPage(call, idOf(last));
  return page;
}

/** @param before cursor of the next page; 0 on the last one */
export function linkNextPage({ request, response }: Exchange, before: number): void {
  if (before === 0) return;
  const next = new URLSearchParams(request.query as Record<string, string>);
  next.set('before', String(before));
  response.set('Link', `<${request.path}?${next.toString()}>; rel="next"`);
}

export function setTotal({ response }: Pick<Exchange, 'response'>, total: number | undefined): void {
  if (total !== undefined) response.set('X-Total-Count', String(total));
}
