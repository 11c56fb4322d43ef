import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Glyph } from './Glyph.js';

export function ProgressPanel({ children }: { children: ReactNode }) {
  return (
    <Panel>
      <Bowl dots={3} />
      <div>{children}</div>
    </Panel>
  );
}

/** @param percent from 0 to 100 */
export function ProgressBar({ label, percent }: { label: string; percent: number }) {
  return (
    <Bar role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
      <i style={{ inlineSize: `${String(percent)}%` }} />
    </Bar>
  );
}

const Panel = styled.div`
  display: flex;
  align-items: center;
  gap: 14px;
  padding: 14px 18px;
  background: var(--sunken);
  border-radius: 20px;
  border-end-start-radius: 6px;
  > div {
    flex: 1;
    min-inline-size: 0;
  }
`;

const Bowl = styled(Glyph)`
  flex: none;
  inline-size: 44px;
  block-size: 44px;
  color: var(--violet);
`;

const Bar = styled.div`
  block-size: 8px;
  margin-block: 10px 8px;
  overflow: hidden;
  border-radius: 4px;
  background: var(--surface);
  box-shadow: inset 0 0 0 1px var(--line);
  > i {
    display: block;
    block-size: 100%;
    border-radius: inherit;
    background: var(--violet);
    transition: inline-size 0.4s ease-out;
  }
  @media (prefers-reduced-motion: reduce) {
    > i {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    border: 1px solid;
    > i {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
