import { LIMITS } from '@najwa/proto/http/client';
import type { AnswerMeta } from './call.js';

export interface Page<T> {
  items: T[];
  /** The cursor of the next page. Null at the end. */
  next: string | null;
}

/** Reads the cursor from a `Link: <…?before=…>; rel="next"` header. */
export function nextCursor(link: string | null): string | null {
  const target = link
    ?.split(',')
    .find((part) => /;\s*rel="?next"?/.test(part))
    ?.match(/<([^>]*)>/)?.[1];
  if (target === undefined) return null;
  return new URL(target, 'http://relative').searchParams.get('before');
}

/** Combines a list and its Link header into a page. */
export function toPage<T>(items: T[], meta: AnswerMeta | undefined): Page<T> {
  return { items, next: nextCursor(meta?.response.headers.get('link') ?? null) };
}

/** Options for infinite queries. The first page has no cursor. */
export const cursorPaging = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Page<unknown>) => next ?? undefined,
};

export const pageParams = (before: string | null) => ({
  limit: LIMITS.page.default,
  ...(before !== null && { before: Number(before) }),
});
