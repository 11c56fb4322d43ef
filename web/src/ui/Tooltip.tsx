import { Tooltip as Radix } from 'radix-ui';
import { createContext, use, type ReactNode } from 'react';
import { styled } from 'styled-components';

const DELAY = 700;
const SKIP_DELAY = 300;

const HasProvider = createContext(false);

/** After one tooltip, the next opens without a delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <HasProvider value>
      <Radix.Provider delayDuration={DELAY} skipDelayDuration={SKIP_DELAY}>
        {children}
      </Radix.Provider>
    </HasProvider>
  );
}

/** No portal: the tooltip stays in its trigger's landmark. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const hasProvider = use(HasProvider);
  const tooltip = (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Tip sideOffset={6}>{text}</Tip>
    </Radix.Root>
  );
  return hasProvider ? tooltip : <TooltipProvider>{tooltip}</TooltipProvider>;
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
