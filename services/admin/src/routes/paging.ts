import type { Request, Response } from 'express';

/** Sets the `Link` header to the next page. @param nextBefore 0 on the last page */
export function linkNextPage(request: Request, response: Response, nextBefore: number): void {
  if (nextBefore === 0) return;
  const query = new URLSearchParams(request.query as Record<string, string>);
  query.set('before', String(nextBefore));
  response.set('Link', `<${request.path}?${query.toString()}>; rel="next"`);
}

/** Sets `X-Total-Count` to the number of entries on all pages, if it is known. */
export function setTotalHeader(response: Response, total: number | undefined): void {
  if (total !== undefined) response.set('X-Total-Count', String(total));
}
