import { css, keyframes, styled } from 'styled-components';

const pulse = keyframes`
  0% { opacity: 0.55; transform: none; }
  70%, 100% { opacity: 0; transform: scale(3); }
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
      &::before {
        content: '';
        display: block;
        block-size: 100%;
        border-radius: inherit;
        background: var(--rose-strong);
        opacity: 0;
        animation: ${pulse} 1.8s ease-out infinite;
      }
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
