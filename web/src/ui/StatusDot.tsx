import { css, keyframes, styled } from 'styled-components';
import { restsUntilHydrated } from '../theme/index.js';

const pulse = keyframes`
  0% { box-shadow: 0 0 0 0 color-mix(in srgb, var(--rose-strong) 55%, transparent); }
  70%, 100% { box-shadow: 0 0 0 9px transparent; }
`;

interface Props {
  $size?: number;
  $colour?: string;
  /** A pulsing ring, for unread messages. */
  $pulsing?: boolean;
}

/** The diamond-shaped dot of Arabic calligraphy. It always shows a state. */
export const StatusDot = styled.span<Props>`
  inline-size: ${({ $size = 9 }) => $size}px;
  block-size: ${({ $size = 9 }) => $size}px;
  border-radius: 28%;
  transform: rotate(45deg);
  background: ${({ $colour = 'currentColor' }) => $colour};
  flex: none;
  display: inline-block;
  @media (forced-colors: active) {
    forced-color-adjust: none;
    background: CanvasText;
  }
  ${({ $pulsing }) =>
    $pulsing &&
    css`
      animation: ${pulse} 1.8s ease-out infinite;
      ${restsUntilHydrated}
    `}
`;

const drop = keyframes`
  0%, 60%, 100% { translate: 0 0; opacity: 0.55; }
  30% { translate: 0 -4px; opacity: 1; }
`;

export function LoadingDots() {
  return (
    <Row aria-hidden="true">
      <i />
      <i />
      <i />
    </Row>
  );
}

const Row = styled.span`
  display: inline-flex;
  gap: 5px;
  align-items: center;
  i {
    inline-size: 7px;
    block-size: 7px;
    border-radius: 28%;
    background: currentColor;
    transform: rotate(45deg);
    @media (forced-colors: active) {
      forced-color-adjust: none;
      background: CanvasText;
    }
    animation: ${drop} 1s var(--ease) infinite;
  }
  i:nth-child(2) {
    animation-delay: 0.14s;
  }
  i:nth-child(3) {
    animation-delay: 0.28s;
  }
`;
