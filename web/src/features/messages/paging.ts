import type { FetchBaseQueryMeta } from '@reduxjs/toolkit/query';
import type { Page } from './types.js';

export const PAGE_SIZE = 10;

/** The cursor of the next page, out of a `Link: <…?before=…>; rel="next"` header. */
export function nextCursor(link: string | null): string | null {
  const target = link
    ?.split(',')
    .find((part) => /;\s*rel="?next"?/.test(part))
    ?.match(/<([^>]*)>/)?.[1];
  if (target === undefined) return null;
  return new URL(target, 'http://relative').searchParams.get('before');
}

/** A list and its header, as a page. */
export function toPage<T>(items: T[], meta: FetchBaseQueryMeta | undefined): Page<T> {
  return { items, next: nextCursor(meta?.response?.headers.get('link') ?? null) };
}

/** Paging for RTK's infinite queries: the first page has no cursor. */
export const cursorPaging = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Page<unknown>) => next ?? undefined,
};

export const pageParams = (before: string | null) => ({ limit: PAGE_SIZE, ...(before !== null && { before }) });
