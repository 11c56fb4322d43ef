import { Tooltip as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { styled } from 'styled-components';
import { IconButtonBase } from './IconButtonBase.js';

const DELAY = 700;
const SKIP_DELAY = 300;

/** There is no portal, so the tooltip stays in the landmark of its trigger. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={DELAY} skipDelayDuration={SKIP_DELAY}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Tip sideOffset={6}>{text}</Tip>
      </Radix.Root>
    </Radix.Provider>
  );
}

const Tip = styled(Radix.Content)`
  z-index: ${({ theme }) => theme.zIndex.menu};
  background: var(--inverse);
  color: var(--on-inverse);
  padding: 5px 12px;
  border-radius: 10px;
  border-end-start-radius: 3px;
  font-size: 0.875rem;
  line-height: 1.6;
  max-inline-size: min(320px, 90vw);
`;

interface Props extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string;
  size?: 'sm' | 'md';
  /** Shows the label as a tooltip. */
  tip?: boolean;
  children: ReactNode;
}

export function IconButton({ label, size = 'md', tip = false, type = 'button', ...rest }: Props) {
  const button = <IconButtonBase {...rest} type={type} aria-label={label} $size={size} />;
  return tip ? <Tooltip text={label}>{button}</Tooltip> : button;
}
