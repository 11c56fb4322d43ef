import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';

/** There is no portal, so the tooltip stays in the landmark of its trigger. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Tip sideOffset={6}>{text}</Tip>
    </Radix.Root>
  );
}

const Tip = styled(Radix.Content)`
  z-index: ${({ theme }) => theme.depth.menu};
  background: var(--inverse);
  color: var(--on-inverse);
  padding: 5px 12px;
  border-radius: 10px;
  border-end-start-radius: 3px;
  font-size: 0.875rem;
  line-height: 1.6;
`;
