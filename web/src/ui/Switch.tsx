import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { keyframes, styled } from 'styled-components';

interface Props extends ComponentProps<typeof Radix.Root> {
  /** Saving: the dot pulses and the switch is disabled. */
  pending?: boolean;
}

export function Switch({ pending = false, disabled, ...rest }: Props) {
  return (
    <Track {...rest} disabled={pending || disabled === true} aria-busy={pending || undefined}>
      <Thumb $pulsing={pending} />
    </Track>
  );
}

const pulse = keyframes`
  50% { opacity: 0.4; }
`;

const Track = styled(Radix.Root)`
  inline-size: 52px;
  block-size: 30px;
  border-radius: 15px;
  border-end-start-radius: 5px;
  background: var(--field);
  flex: none;
  position: relative;
  text-align: start;
  transition: background var(--base);
  &::after {
    content: '';
    position: absolute;
    inset: -7px -4px;
  }
  &[data-state='checked'] {
    background: var(--violet);
  }
  &:disabled:not([aria-busy='true']) {
    opacity: 0.45;
  }
  @media (forced-colors: active) {
    border: 1px solid;
  }
`;

const Thumb = styled(Radix.Thumb)<{ $pulsing: boolean }>`
  display: block;
  inline-size: 14px;
  block-size: 14px;
  margin-inline-start: 9px;
  border-radius: 28%;
  background: var(--on-violet);
  transform: rotate(45deg);
  transition: margin-inline-start var(--base) var(--ease-drop);
  animation: ${({ $pulsing }) => ($pulsing ? pulse : 'none')} 1s var(--ease) infinite;
  &[data-state='checked'] {
    margin-inline-start: 29px;
  }
  @media (forced-colors: active) {
    forced-color-adjust: none;
    background: CanvasText;
  }
`;
