import { measureElement, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  memo,
  type ReactNode,
  type Ref,
  type RefCallback,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { styled } from 'styled-components';
import { DESK, textSize } from '../../theme/index.js';
import type { Entry } from './types.js';
import { monthOf, useMonthName } from './times.js';
import { useGradualRange } from './use-gradual-range.js';

/** Height of a card, and of a desk's row, in pixels. */
const GUESSED = { card: 112, row: 84 };

/** Stops restoring a position after this many frames: something else moves the page. */
const MAX_FRAMES = 60;
const CALM_FRAMES = 3;

export interface ListState {
  /** Card heights, so that the list has its former height at once. */
  measured: VirtualItem[];
  /** The first message in view, and its offset. */
  anchor: Anchor | undefined;
}

interface Anchor {
  id: number;
  top: number;
}

export interface ListHandle {
  reveal: (id: number) => void;
  /** The first message in view. */
  first: () => number | undefined;
}

/** Height of the sticky header, which covers cards. */
const BAR = 56;

const cardOf = (list: HTMLElement | null, id: number) =>
  list?.querySelector<HTMLElement>(`[data-message-id="${String(id)}"]`) ?? null;

const idOf = (card: HTMLElement) => Number(card.dataset['messageId']);

function anchorIn(list: HTMLElement | null): Anchor | undefined {
  for (const card of list?.querySelectorAll<HTMLElement>('[data-message-id]') ?? []) {
    const { top } = card.getBoundingClientRect();
    if (top > BAR) return { id: idOf(card), top };
  }
  return undefined;
}

const sizeOf = ({ measurementsCache }: { measurementsCache: VirtualItem[] }, index: number) =>
  measurementsCache[index]?.size ?? 0;

/** Index of a message, or of the nearest one if it is gone. */
function placeOf(entries: readonly Entry[], id: number): number {
  const distances = entries.map(({ message }) => Math.abs(message.id - id));
  return distances.indexOf(Math.min(...distances));
}

const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

interface Props {
  entries: readonly Entry[];
  /** False while there are more pages. */
  isWhole: boolean;
  /** Whether messages added above keep the scroll position. */
  keepsPlace: boolean;
  /** Whether the first message also gets a month heading. */
  startsWithMonth: boolean;
  isDesk: boolean;
  /** State of this list when it was left. */
  former: ListState | undefined;
  onLeave: (state: ListState) => void;
  render: (entry: Entry) => ReactNode;
  ref?: Ref<ListHandle>;
}

type List = RefObject<HTMLDivElement | null>;

function useFocusedRow(list: List, entries: readonly Entry[]) {
  const [focused, setFocused] = useState<number | null>(null);
  const index = useMemo(
    () => (focused === null ? -1 : entries.findIndex(({ message }) => message.id === focused)),
    [entries, focused],
  );
  const onFocus = ({ target }: FocusEvent) => {
    const card = target.closest<HTMLElement>('[data-message-id]');
    if (card !== null) setFocused(idOf(card));
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (list.current?.contains(relatedTarget) !== true) setFocused(null);
  };
  return { index, onFocus, onBlur };
}

function useMeasuredTop(list: List, onTop: (top: number) => void): void {
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current !== null) onTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(document.body);
    return () => resized.disconnect();
  }, [list, onTop]);
}

type RowVirtualizer = ReturnType<typeof useWindowVirtualizer<HTMLDivElement>>;

/** Until the anchored message is in place, something else moves the page, or there is input. */
function useReturn(list: List, virtualizer: RowVirtualizer, { entries, former }: Props): void {
  const [returned] = useState(former?.anchor);
  /** @returns whether the anchored message is in place */
  const approach = useEffectEvent(({ id, top: place }: Anchor): boolean => {
    const index = placeOf(entries, id);
    const card = cardOf(list.current, entries[index]?.message.id ?? id);
    if (card === null) {
      const [start = 0] = virtualizer.getOffsetForIndex(index, 'start') ?? [];
      window.scrollTo(0, start - place);
      return false;
    }
    const distance = card.getBoundingClientRect().top - place;
    if (Math.abs(distance) < 1) return true;
    window.scrollBy(0, distance);
    return false;
  });
  useEffect(() => {
    if (returned === undefined) return;
    const ended = new AbortController();
    let frames = 0;
    let calm = 0;
    const step = () => {
      frames += 1;
      calm = approach(returned) ? calm + 1 : 0;
      if (calm < CALM_FRAMES && frames < MAX_FRAMES && !ended.signal.aborted) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    const end = () => ended.abort();
    for (const input of INPUTS) window.addEventListener(input, end, { passive: true, signal: ended.signal });
    return end;
  }, [returned]);
}

/** Virtualised: only rows near the window are in the document. */
export function EntryList(props: Props) {
  const { entries, isWhole, keepsPlace, startsWithMonth, isDesk, former, onLeave, render, ref } = props;
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { index: focusedIndex, ...focus } = useFocusedRow(list, entries);
  const range = useGradualRange(focusedIndex);
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: entries.length,
    estimateSize: () => GUESSED[isDesk ? 'row' : 'card'],
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.message.id ?? index,
    initialMeasurementsCache: former?.measured ?? [],
    rangeExtractor: range.extract,
    // Measuring a new card at once would force a layout; the estimate holds until the next frame.
    measureElement: (card, resized, list) =>
      resized ? measureElement(card, resized, list) : sizeOf(list, list.indexFromElement(card)),
    // Otherwise keeps the distance from the start.
    anchorTo: keepsPlace ? 'end' : 'start',
    scrollEndThreshold: -1,
    useFlushSync: false,
  });

  useMeasuredTop(list, setTop);

  useImperativeHandle(
    ref,
    () => ({
      reveal: (id) => virtualizer.scrollToIndex(placeOf(entries, id), { align: 'center' }),
      first: () => anchorIn(list.current)?.id,
    }),
    [virtualizer, entries],
  );

  const leave = useRef(onLeave);
  useLayoutEffect(() => {
    leave.current = onLeave;
  });
  // A layout effect: its cleanup runs before the effect that stores the place.
  useLayoutEffect(
    () => () => leave.current({ measured: virtualizer.takeSnapshot(), anchor: anchorIn(list.current) }),
    [virtualizer],
  );

  useReturn(list, virtualizer, props);

  const rows = virtualizer.getVirtualItems();
  range.useGrowth(virtualizer.isScrolling ? null : virtualizer.range, entries.length);
  const [first, last] = [rows[0], rows.at(-1)];
  const total = virtualizer.getTotalSize();
  // Before the window is measured only the rows' space exists, so the page can scroll back at once.
  const before = first === undefined ? 0 : first.start - top;
  const after = last === undefined ? total : total - (last.end - top);
  const { startIndex = 0, endIndex = Infinity } = virtualizer.range ?? {};

  return (
    <Rows
      ref={list}
      role="list"
      aria-labelledby="messages-title"
      style={{ paddingBlock: `${String(Math.max(0, before))}px ${String(Math.max(0, after))}px` }}
      {...focus}
    >
      {rows.map(({ index, key, start }, place) => {
        const entry = entries[index];
        if (entry === undefined) return null;
        return (
          <ListRow
            key={key}
            measure={virtualizer.measureElement}
            entry={entry}
            index={index}
            size={isWhole ? entries.length : -1}
            previous={entries[index - 1]?.message.createdAt}
            startsWithMonth={startsWithMonth}
            // Fills the gap around a focused card that stays mounted.
            room={Math.max(0, start - (rows[place - 1]?.end ?? start))}
            isAway={index < startIndex || index > endIndex}
            render={render}
          />
        );
      })}
    </Rows>
  );
}

interface RowProps {
  measure: RefCallback<HTMLDivElement>;
  entry: Entry;
  index: number;
  size: number;
  previous: string | undefined;
  startsWithMonth: boolean;
  room: number;
  /** Outside the window: animations pause. */
  isAway: boolean;
  render: (entry: Entry) => ReactNode;
}

/** Memoised: a scrolling list renders in every frame. */
const ListRow = memo(function ListRow(props: RowProps) {
  const { measure, entry, index, size, previous, startsWithMonth, room, isAway, render } = props;
  const { createdAt } = entry.message;
  const isNewMonth = previous === undefined ? startsWithMonth : monthOf(previous) !== monthOf(createdAt);
  return (
    <Row
      ref={measure}
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={size}
      data-index={index}
      data-away={isAway || undefined}
      style={room > 0 ? { marginBlockStart: room } : undefined}
    >
      {isNewMonth && <MonthTitle of={createdAt} />}
      {render(entry)}
    </Row>
  );
});

function MonthTitle({ of }: { of: string }) {
  const monthName = useMonthName();
  return <Month>{monthName(of)}</Month>;
}

/* The list itself corrects the scroll position when heights become known. */
const Rows = styled.div`
  overflow-anchor: none;
  min-inline-size: 0;
  @media ${DESK} {
    overflow: clip;
    border: solid var(--line);
    /* The last row has its own at the end. */
    border-width: 1px 1px 0;
    ${({ theme }) => theme.bubble.card}
    background: var(--surface);
  }
`;

const Row = styled.div`
  padding-block-end: 8px;
  @media ${DESK} {
    padding: 0;
  }
  /* Each animated dot costs a style recalculation per frame. */
  &[data-away] [data-part='dot'] {
    animation: none;
  }
`;

const Month = styled.h3`
  ${textSize('16px', '14px')}
  font-weight: 700;
  color: var(--ink-2);
  line-height: 1.5;
  padding-block: 8px;
  letter-spacing: 0;
  @media ${DESK} {
    padding-inline: 18px;
    border-block-end: 1px solid var(--line);
  }
  :lang(en) & {
    font-weight: 600;
  }
`;
