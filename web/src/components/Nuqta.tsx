import { css, keyframes, styled } from 'styled-components';

const whisper = keyframes`
  0% { box-shadow: 0 0 0 0 color-mix(in srgb, var(--rose-strong) 55%, transparent); }
  70%, 100% { box-shadow: 0 0 0 9px transparent; }
`;

interface Props {
  $size?: number;
  $colour?: string;
  /** Adds a pulsing ring, for unread messages. */
  $whispers?: boolean;
}

/** The diamond-shaped dot of Arabic calligraphy, with rounded corners. It always shows a state. */
export const Nuqta = styled.span<Props>`
  inline-size: ${({ $size = 9 }) => $size}px;
  block-size: ${({ $size = 9 }) => $size}px;
  border-radius: 28%;
  transform: rotate(45deg);
  background: ${({ $colour = 'currentColor' }) => $colour};
  flex: none;
  display: inline-block;
  ${({ $whispers }) =>
    $whispers &&
    css`
      animation: ${whisper} 1.8s ease-out infinite;
    `}
`;
