import type { Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, useState } from 'react';

const BEYOND = 12;

/** Up to this many rows, lists are not virtualised. */
const SHORT = 40;

/** Rows added per edge and frame: all at once would block a slow phone for half a second. */
const STEP = 1;

interface Span {
  first: number;
  last: number;
}

type Seen = Pick<Range, 'startIndex' | 'endIndex'>;

const wantedAround = ({ startIndex, endIndex }: Seen, count: number): Span =>
  count <= SHORT
    ? { first: 0, last: count - 1 }
    : { first: Math.max(0, startIndex - BEYOND), last: Math.min(count - 1, endIndex + BEYOND) };

/** Rows in view, rows already mounted, and a few more. */
function nextSpan(seen: Seen, count: number, { first, last }: Span): Span {
  const wanted = wantedAround(seen, count);
  const { startIndex, endIndex } = seen;
  const isNear = first <= endIndex && last >= startIndex;
  return {
    first: Math.max(wanted.first, (isNear ? Math.min(startIndex, first) : startIndex) - STEP),
    last: Math.min(wanted.last, (isNear ? Math.max(endIndex, last) : endIndex) + STEP),
  };
}

/** @param focused the focused row, or -1. It stays mounted, or the next key would start at the top */
export function useGradualRange(focused: number) {
  const [span, setSpan] = useState<Span>({ first: 0, last: -1 });
  const extract = useCallback(
    (range: Range): number[] => {
      const { first, last } = nextSpan(range, range.count, span);
      const rows = Array.from({ length: last - first + 1 }, (_, place) => first + place);
      if (focused === -1 || rows.includes(focused)) return rows;
      return focused < first ? [focused, ...rows] : [...rows, focused];
    },
    [focused, span],
  );

  /** @param seen null before the first render and while scrolling: one change per frame */
  const useGrowth = (seen: Seen | null, count: number) => {
    const { startIndex = 0, endIndex = -1 } = seen ?? {};
    // After every render: the mounted rows depend on more than this hook knows.
    useEffect(() => {
      if (endIndex === -1) return;
      const around = { startIndex, endIndex };
      const wanted = wantedAround(around, count);
      const rendered = nextSpan(around, count, span);
      if (rendered.first <= wanted.first && rendered.last >= wanted.last) return;
      const frame = requestAnimationFrame(() => setSpan(rendered));
      return () => cancelAnimationFrame(frame);
    });
  };

  return { extract, useGrowth };
}
