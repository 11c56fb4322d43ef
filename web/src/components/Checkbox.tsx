import { Checkbox as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { styled } from 'styled-components';
import { StatusDot } from './StatusDot.js';

/** A checkbox whose check mark is the dot. */
export function Checkbox(props: ComponentProps<typeof Radix.Root>) {
  return (
    <Box {...props}>
      <Radix.Indicator asChild>
        <StatusDot $colour="var(--on-violet)" />
      </Radix.Indicator>
    </Box>
  );
}

const Box = styled(Radix.Root)`
  inline-size: 24px;
  block-size: 24px;
  border: 1.5px solid var(--field);
  border-radius: 7px;
  border-end-start-radius: 2px;
  background: var(--surface);
  display: grid;
  place-items: center;
  flex: none;
  &:hover {
    border-color: var(--ink-2);
  }
  &[data-state='checked'] {
    background: var(--violet);
    border-color: var(--violet);
  }
  &:disabled {
    opacity: 0.45;
  }
`;
