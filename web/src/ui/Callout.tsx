import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { textSize } from '../theme/index.js';
import { Icon } from './Icon.js';

const TONES = {
  gold: 'background: var(--gold-tint); color: var(--on-gold-tint);',
  danger: 'background: var(--danger-tint); color: var(--on-danger-tint);',
  plain: 'background: var(--sunken); color: var(--ink-2);',
} as const;

interface Props {
  tone: keyof typeof TONES;
  icon: LucideIcon;
  title?: string;
  text: string;
  alert?: boolean;
  /** At most one button. */
  children?: ReactNode;
}

/** Gold warns, danger refuses, plain informs. */
export function Callout({ tone, icon, title, text, alert = false, children }: Props) {
  return (
    <Box $tone={tone} role={alert ? 'alert' : undefined}>
      <Icon of={icon} />
      <div>
        {title !== undefined && <b>{title}</b>}
        <p>{text}</p>
      </div>
      {children}
    </Box>
  );
}

const Box = styled.div<{ $tone: Props['tone'] }>`
  display: flex;
  align-items: center;
  gap: 14px;
  padding: 14px 18px;
  border-radius: 20px;
  border-end-start-radius: 6px;
  line-height: 1.65;
  ${({ $tone }) => TONES[$tone]}
  > svg {
    flex: none;
  }
  > div {
    flex: 1;
    min-inline-size: 0;
  }
  b {
    display: block;
  }
  p {
    ${textSize('16px', '14px')}
  }
  ${({ theme }) => theme.media.phone} {
    flex-wrap: wrap;
    > div {
      flex-basis: calc(100% - 40px);
    }
    > button {
      inline-size: 100%;
    }
  }
`;
