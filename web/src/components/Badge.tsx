import { styled } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';

export type BadgeTone = 'plain' | 'violet' | 'rose' | 'gold' | 'mint' | 'danger' | 'line';

const grounds: Record<BadgeTone, string> = {
  plain: 'background: var(--sunken); color: var(--ink-2);',
  violet: 'background: var(--violet-tint); color: var(--on-violet-tint);',
  rose: 'background: var(--rose-tint); color: var(--on-rose-tint);',
  gold: 'background: var(--gold-tint); color: var(--on-gold-tint);',
  mint: 'background: var(--mint-tint); color: var(--on-mint-tint);',
  danger: 'background: var(--danger-tint); color: var(--on-danger-tint);',
  line: 'background: none; color: var(--ink-2); box-shadow: inset 0 0 0 1px var(--line-strong);',
};

export const Badge = styled.span<{ $tone?: BadgeTone }>`
  display: inline-flex;
  align-items: center;
  gap: 7px;
  padding: 1px 10px;
  min-block-size: 26px;
  ${({ theme }) => theme.bubble.badge}
  ${semibold}
  ${textSize('15px', '12.5px')}
  line-height: 1.6;
  white-space: nowrap;
  font-variant-numeric: tabular-nums;
  ${({ $tone = 'plain' }) => grounds[$tone]}
  svg {
    inline-size: 14px;
    block-size: 14px;
    stroke-width: 2;
  }
`;
