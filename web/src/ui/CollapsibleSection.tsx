import { ChevronDown, type LucideIcon } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { ReactNode } from 'react';
import { keyframes, styled } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';
import { Icon } from './Icon.js';

interface Props {
  title: string;
  icon: LucideIcon;
  defaultOpen?: boolean;
  children: ReactNode;
}

export function CollapsibleSection({ title, icon, defaultOpen = false, children }: Props) {
  return (
    <Frame defaultOpen={defaultOpen}>
      <h3>
        <Summary>
          <Icon of={icon} />
          {title}
          <Chevron>
            <Icon of={ChevronDown} />
          </Chevron>
        </Summary>
      </h3>
      <Content>
        <Inner>{children}</Inner>
      </Content>
    </Frame>
  );
}

const expand = keyframes`
  from { block-size: 0; }
  to { block-size: var(--radix-collapsible-content-height); }
`;

const collapse = keyframes`
  from { block-size: var(--radix-collapsible-content-height); }
  to { block-size: 0; }
`;

const Frame = styled(Collapsible.Root)`
  border: 1px solid var(--line);
  border-radius: 18px;
  border-end-start-radius: 5px;
  h3 {
    font: inherit;
    letter-spacing: 0;
  }
`;

const Chevron = styled.span`
  margin-inline-start: auto;
  transition: rotate var(--base) var(--ease);
`;

const Summary = styled(Collapsible.Trigger)`
  display: flex;
  inline-size: 100%;
  gap: 12px;
  align-items: center;
  padding: 12px 18px;
  border-radius: inherit;
  text-align: start;
  ${semibold}
  ${textSize('18px', '15px')}
  svg {
    color: var(--ink-3);
  }
  &[data-state='open'] ${Chevron} {
    rotate: 180deg;
  }
`;

const Content = styled(Collapsible.Content)`
  overflow: hidden;
  &[data-state='open'] {
    animation: ${expand} var(--base) var(--ease);
  }
  &[data-state='closed'] {
    animation: ${collapse} var(--base) var(--ease);
  }
`;

const Inner = styled.div`
  padding: 0 18px 14px;
`;
