import { barsOf } from '@najwa/proto/http/client';
import { styled } from 'styled-components';
import { barHeight, barHeights } from '../../theme/index.js';

export const BAR_COUNT = 44;

export const toBars = (peaks: readonly number[] | null): number[] => barsOf(peaks, BAR_COUNT);

interface Props {
  bars: readonly number[];
  /** Index of the current bar. Earlier bars count as played. */
  head?: number | null;
}

/** Runs from left to right in both languages. */
export function Waveform({ bars, head = null }: Props) {
  return (
    <Row dir="ltr" aria-hidden="true" data-part="wave">
      {bars.map((height, index) =>
        // Bars have no identity but their index.
        index === head ? (
          <i key={index} data-head />
        ) : (
          <i key={index} data-played={head !== null && index < head ? '' : undefined} {...barHeight(height)} />
        ),
      )}
    </Row>
  );
}

const Row = styled.span`
  flex: 1;
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 2px;
  block-size: 36px;
  min-inline-size: 0;
  overflow: hidden;
  i {
    flex: 1;
    max-inline-size: 4px;
    min-inline-size: 1px;
    border-radius: 2px;
    background: color-mix(in srgb, var(--ink-3) 45%, transparent);
  }
  ${barHeights}
  @container (max-width: 140px) {
    i:nth-child(even):not([data-head]) {
      display: none;
    }
  }
  i[data-played] {
    background: var(--violet-text);
  }
  i[data-head] {
    background: var(--rose-strong);
    inline-size: 12px;
    block-size: 12px;
    max-inline-size: 12px;
    min-inline-size: 12px;
    flex: none;
    border-radius: 28%;
    transform: rotate(45deg);
  }
`;
