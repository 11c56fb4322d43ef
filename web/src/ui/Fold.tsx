import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { textSize } from '../theme/index.js';
import { Icon } from './Icon.js';

/** Flatter than a card: several stand close together. */
export const stripSurface = css`
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 16px;
  border-end-start-radius: 5px;
`;

interface Props {
  summary: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Fold({ summary, className, children }: Props) {
  return (
    <Frame className={className}>
      <summary>
        {summary}
        <Chevron>
          <Icon of={ChevronDown} size="sm" />
        </Chevron>
      </summary>
      {children}
    </Frame>
  );
}

const Chevron = styled.span`
  display: grid;
  margin-inline-start: auto;
  color: var(--ink-3);
  transition: rotate var(--base) var(--ease);
`;

const Frame = styled.details`
  ${stripSurface}
  min-inline-size: 0;
  > summary {
    display: flex;
    gap: 8px;
    align-items: center;
    min-block-size: 44px;
    padding-inline: 12px;
    border-radius: inherit;
    list-style: none;
    cursor: pointer;
    font-weight: 700;
    ${textSize('15px', '13.5px')}
    line-height: 1.5;
    :lang(en) & {
      font-weight: 600;
    }
  }
  > summary::-webkit-details-marker {
    display: none;
  }
  &[open] > summary ${Chevron} {
    rotate: 180deg;
  }
`;
