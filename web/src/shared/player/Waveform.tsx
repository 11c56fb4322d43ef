import { styled } from 'styled-components';
import { barHeight, barHeights } from '../../theme/index.js';

export const BAR_COUNT = 44;

const MIN_HEIGHT = 12;
const MAX_HEIGHT = 100;
const DEFAULT_HEIGHT = 32;

export function toBars(peaks: readonly number[] | null): number[] {
  if (peaks === null || peaks.length === 0) return Array.from({ length: BAR_COUNT }, () => DEFAULT_HEIGHT);
  return Array.from({ length: BAR_COUNT }, (_, bar) => {
    const start = Math.floor((bar * peaks.length) / BAR_COUNT);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * peaks.length) / BAR_COUNT));
    return Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, ...peaks.slice(start, end)));
  });
}

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
