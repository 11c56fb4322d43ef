import type { ComponentProps } from 'react';
import { css, keyframes, styled } from 'styled-components';
import { cardSurface } from './Card.js';

export type MessageState = 'unread' | 'read' | 'published' | 'sent' | 'none';

const COLOURS: Record<MessageState, string> = {
  unread: 'var(--rose-strong)',
  read: 'var(--mint)',
  published: 'var(--violet)',
  sent: 'var(--gold)',
  none: 'var(--line-strong)',
};

interface Props extends ComponentProps<'article'> {
  state: MessageState;
  /** `section` for the composer, `div` for decoration. */
  element?: 'article' | 'section' | 'div';
}

/** A message's outline: its upper edge dips into a bowl whose dot shows the state. */
export function MessageShape({ state, element = 'article', children, ...rest }: Props) {
  return (
    <Frame as={element} {...rest}>
      <Dip state={state} />
      {children}
    </Frame>
  );
}

function Dip({ state }: { state: MessageState }) {
  return (
    <DipIcon viewBox="0 0 76 20" aria-hidden="true">
      <path fill="var(--behind, var(--paper))" d="M0 0C11 0 15 4 20 9.5S30 18 38 18 51 15 56 9.5 65 0 76 0V-3H0Z" />
      <path
        fill="none"
        stroke="var(--edge, var(--line))"
        d="M0 .5C11 .5 15 4.5 20 10S30 18.5 38 18.5 51 15.5 56 10 65 .5 76 .5"
      />
      <Dot
        $hopping={state === 'unread'}
        data-part="dot"
        fill={COLOURS[state]}
        d="M35.9.1q2.1-2.1 4.2 0l2.8 2.8q2.1 2.1 0 4.2l-2.8 2.8q-2.1 2.1-4.2 0l-2.8-2.8q-2.1-2.1 0-4.2z"
      />
    </DipIcon>
  );
}

const hop = keyframes`
  0%, 70%, 100% { transform: none; }
  80% { transform: translateY(-5px); }
  90% { transform: translateY(1px); }
`;

const Frame = styled.article`
  ${cardSurface}
  padding: 22px 24px 20px;
  ${({ theme }) => theme.media.phone} {
    padding-inline: 18px;
  }
`;

const DipIcon = styled.svg`
  position: absolute;
  inset-block-start: -1px;
  inset-inline-end: 34px;
  inline-size: 76px;
  block-size: 20px;
  overflow: visible;
  pointer-events: none;
  ${({ theme }) => theme.media.phone} {
    inset-inline-end: 22px;
  }
`;

const Dot = styled.path<{ $hopping: boolean }>`
  transform-box: fill-box;
  ${({ $hopping }) =>
    $hopping &&
    css`
      animation: ${hop} 2.4s var(--ease) infinite;
    `}
`;
