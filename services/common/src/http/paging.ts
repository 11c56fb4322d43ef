import type { Request, Response } from 'express';

/**
 * Takes a page of what was found, and sets the `Link` header to the next one if there is more.
 * @param found at most one entry more than the page holds
 */
export function takePage<T>(
  { request, response }: { request: Request; response: Response },
  found: T[],
  limit: number,
  idOf: (entry: T) => number,
): T[] {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last !== undefined) linkNextPage({ request, response }, idOf(last));
  return page;
}

/** @param before the cursor of the next page */
export function linkNextPage({ request, response }: { request: Request; response: Response }, before: number): void {
  const next = new URLSearchParams(request.query as Record<string, string>);
  next.set('before', String(before));
  response.set('Link', `<${request.path}?${next.toString()}>; rel="next"`);
}
