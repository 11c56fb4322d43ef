import { Pause, Play } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { LoadingDots, Icon } from '../../ui/index.js';

export const SoundBar = styled.div<{ $onPanel?: boolean }>`
  display: flex;
  gap: 14px;
  align-items: center;
  background: ${({ $onPanel }) => ($onPanel ? 'var(--surface)' : 'var(--sunken)')};
  ${({ theme }) => theme.bubble.large}
  padding: 10px 12px;
  margin-block-start: ${({ $onPanel }) => ($onPanel ? '0' : '16px')};
  max-inline-size: ${({ $onPanel }) => ($onPanel ? 'none' : '460px')};
  ${({ theme }) => theme.media.phone} {
    gap: 12px;
  }
`;

interface PlayButtonProps extends ComponentProps<'button'> {
  state: 'play' | 'pause' | 'loading';
}

export function PlayButton({ state, ...rest }: PlayButtonProps) {
  const { t } = useTranslation();
  return (
    <RoundButton
      type="button"
      aria-label={t(state === 'play' ? 'player.play' : 'player.pause')}
      aria-busy={state === 'loading' || undefined}
      {...rest}
    >
      {state === 'loading' ? <LoadingDots /> : <Icon of={state === 'play' ? Play : Pause} />}
    </RoundButton>
  );
}

export const Clock = styled.span`
  font-size: 0.9375rem;
  color: var(--ink-2);
  min-inline-size: 42px;
  text-align: center;
  font-variant-numeric: tabular-nums;
`;

const RoundButton = styled.button`
  inline-size: 44px;
  block-size: 44px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  background: var(--violet);
  color: var(--on-violet);
  display: grid;
  place-items: center;
  flex: none;
  transition: background var(--fast);
  &:hover {
    background: var(--violet-hover);
  }
  &:active {
    background: var(--violet-press);
  }
  &:disabled {
    background: var(--sunken);
    color: var(--ink-3);
    cursor: not-allowed;
  }
  > svg {
    inline-size: 18px;
    block-size: 18px;
    fill: currentColor;
    stroke-width: 1.5;
  }
`;
