import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { textSize } from '../../theme/index.js';
import type { Entry } from './types.js';
import type { Density } from './use-density.js';
import { monthOf, useMonthName } from './use-short-time.js';

/** Cards beyond the edges of the window. With these there are never more than a hundred in the document. */
const BEYOND = 30;

/** Heights until they are measured, in pixels. */
const GUESSED: Record<Density, number> = { compact: 112, comfortable: 290 };

export interface ListState {
  /** Heights of its cards, so that it is as high as it was before they are there. */
  measured: VirtualItem[];
  /** The first message that was in view, and where. */
  anchor: { id: string; top: number } | undefined;
}

/** What is under the page's bar is not in view. */
const BAR = 56;

function anchorIn(list: HTMLElement | null): ListState['anchor'] {
  for (const card of list?.querySelectorAll<HTMLElement>('[data-message-id]') ?? []) {
    const { top } = card.getBoundingClientRect();
    if (top > BAR) return { id: card.dataset['messageId'] ?? '', top };
  }
  return undefined;
}

interface Props {
  entries: readonly Entry[];
  density: Density;
  /** How the same list was left before. */
  former: ListState | undefined;
  onLeave: (state: ListState) => void;
  /** A message to scroll to and focus, and what is called then. */
  ledTo: number | undefined;
  onLed: () => void;
  render: (entry: Entry) => ReactNode;
}

/** A list of any length: only what is near the window is in the document, and the rest is room. */
export function EntryList({ entries, density, former, onLeave, ledTo, onLed, render }: Props) {
  const monthName = useMonthName();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: entries.length,
    estimateSize: () => GUESSED[density],
    overscan: BEYOND,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.message.id ?? index,
    // Of another list they would be heights of other messages.
    initialMeasurementsCache:
      former?.measured.every(({ key }, index) => entries[index]?.message.id === key) === true ? former.measured : [],
    useFlushSync: false,
  });

  useLayoutEffect(() => {
    const measure = () => {
      if (list.current !== null) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(document.body);
    return () => {
      resized.disconnect();
    };
  }, []);

  const leave = useRef(onLeave);
  useLayoutEffect(() => {
    leave.current = onLeave;
  });
  // Before effects of the page that is left end, which keep it.
  useLayoutEffect(
    () => () => {
      leave.current({ measured: virtualizer.takeSnapshot(), anchor: anchorIn(list.current) });
    },
    [virtualizer],
  );

  const [returned] = useState(former?.anchor);
  useEffect(() => {
    if (returned === undefined) return;
    // The page has scrolled to about there. Where exactly a message is, is known once the cards are laid out.
    const frame = requestAnimationFrame(() => {
      const card = list.current?.querySelector(`[data-message-id="${returned.id}"]`);
      if (card != null) window.scrollBy(0, card.getBoundingClientRect().top - returned.top);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [returned]);

  const rows = virtualizer.getVirtualItems();
  useEffect(() => {
    const index = entries.findIndex(({ message }) => message.id === ledTo);
    if (index === -1) return;
    const card = list.current?.querySelector<HTMLElement>(`[data-message-id="${String(ledTo)}"]`);
    if (card == null) {
      // Its row is rendered when the window has come near, which calls this again.
      virtualizer.scrollToIndex(index, { align: 'center' });
      return;
    }
    card.tabIndex = -1;
    card.scrollIntoView({ block: 'center' });
    card.focus({ preventScroll: true });
    onLed();
  }, [entries, ledTo, onLed, rows, virtualizer]);
  const [first, last] = [rows[0], rows.at(-1)];
  const total = virtualizer.getTotalSize();
  // Nothing is in the document before the window is measured, but the room is there: the page returns to its place at once.
  const before = first === undefined ? 0 : first.start - top;
  const after = last === undefined ? total : total - (last.end - top);

  return (
    <Rows ref={list} style={{ paddingBlock: `${String(Math.max(0, before))}px ${String(Math.max(0, after))}px` }}>
      {rows.map(({ index, key }) => {
        const entry = entries[index];
        if (entry === undefined) return null;
        const { createdAt } = entry.message;
        const previous = entries[index - 1];
        const isNew = previous !== undefined && monthOf(previous.message.createdAt) !== monthOf(createdAt);
        return (
          <Row key={key} ref={virtualizer.measureElement} data-index={index} $density={density}>
            {isNew && <Month>{monthName(createdAt)}</Month>}
            {render(entry)}
          </Row>
        );
      })}
    </Rows>
  );
}

/* The list itself keeps what one reads in place when heights above it become known. */
const Rows = styled.div`
  overflow-anchor: none;
  min-inline-size: 0;
`;

const Row = styled.div<{ $density: Density }>`
  padding-block-end: ${({ $density }) => ($density === 'compact' ? 8 : 16)}px;
`;

const Month = styled.h3`
  ${textSize('16px', '14px')}
  font-weight: 700;
  color: var(--ink-2);
  line-height: 1.5;
  padding-block: 8px;
  letter-spacing: 0;
  :lang(en) & {
    font-weight: 600;
  }
`;
