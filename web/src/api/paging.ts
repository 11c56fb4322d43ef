import { LIMITS } from '@najwa/proto/http/client';
import type { AnswerMeta } from './call.js';

export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Of a `Link: <…?before=…>; rel="next"` header. */
export function nextCursor(link: string | null): string | null {
  const target = link
    ?.split(',')
    .find((part) => /;\s*rel="?next"?/.test(part))
    ?.match(/<([^>]*)>/)?.[1];
  if (target === undefined) return null;
  return new URL(target, 'http://relative').searchParams.get('before');
}

export function toPage<T>(items: T[], meta: AnswerMeta | undefined): Page<T> {
  return { items, next: nextCursor(meta?.response.headers.get('link') ?? null) };
}

/** For infinite queries. The first page has no cursor. */
export const cursorPaging = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Page<unknown>) => next ?? undefined,
};

export const pageParams = (before: string | null) => ({
  limit: LIMITS.page.default,
  ...(before !== null && { before: Number(before) }),
});
