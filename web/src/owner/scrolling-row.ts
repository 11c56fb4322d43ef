import { type RefObject, useEffect } from 'react';
import { css } from 'styled-components';

/** Of more items than fit: fades where it is cut. The ends have only padding. */
export const scrollingRow = css`
  display: flex;
  flex-wrap: nowrap;
  overflow-x: auto;
  margin-inline: -16px;
  padding: 2px 16px;
  scrollbar-width: none;
  mask: linear-gradient(to right, transparent, #000 16px, #000 calc(100% - 16px), transparent);
  > * {
    white-space: nowrap;
    flex: none;
  }
`;

/** Scrolls a row to its current item. @param current changes with it */
export function useCurrentInView(row: RefObject<HTMLElement | null>, current: string): void {
  useEffect(() => {
    const item = row.current?.querySelector<HTMLElement>('[aria-current], [aria-selected="true"]');
    row.current?.scrollTo({ left: item ? item.offsetLeft - row.current.offsetWidth / 2 : 0 });
  }, [row, current]);
}
