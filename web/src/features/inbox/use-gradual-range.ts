import type { Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, useState } from 'react';

/** Rows beyond the edges of the window. */
const BEYOND = 12;

/** Lists with no more rows are whole in the document. */
const SHORT = 40;

/** Rows that join at either edge in one frame. All that are missing at once would hold a slow phone for half a second. */
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

/** The rows in view, those that are in the document already, and a few more, as far as they are wanted. */
function nextSpan(seen: Seen, count: number, { first, last }: Span): Span {
  const wanted = wantedAround(seen, count);
  const { startIndex, endIndex } = seen;
  const isNear = first <= endIndex && last >= startIndex;
  return {
    first: Math.max(wanted.first, (isNear ? Math.min(startIndex, first) : startIndex) - STEP),
    last: Math.min(wanted.last, (isNear ? Math.max(endIndex, last) : endIndex) + STEP),
  };
}

/**
 * Rows of a virtual list: at once those in view, and those around them frame by frame.
 * @param focused the row with the focus, or -1. It stays, or the next key would begin at the page's top
 */
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

  /**
   * Adds rows in the next frame until there are as many as wanted.
   * @param seen the rows in view. Null until the list has said which it renders, and while it scrolls: a frame has time for one
   * change of the page
   */
  const useGrowth = (seen: Seen | null, count: number) => {
    const { startIndex = 0, endIndex = -1 } = seen ?? {};
    // After every render: what is in the document depends on more than this hook knows.
    useEffect(() => {
      if (endIndex === -1) return;
      const around = { startIndex, endIndex };
      const wanted = wantedAround(around, count);
      const rendered = nextSpan(around, count, span);
      if (rendered.first <= wanted.first && rendered.last >= wanted.last) return;
      const frame = requestAnimationFrame(() => {
        setSpan(rendered);
      });
      return () => {
        cancelAnimationFrame(frame);
      };
    });
  };

  return { extract, useGrowth };
}
