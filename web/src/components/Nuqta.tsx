import { css, keyframes, styled } from 'styled-components';

const whisper = keyframes`
  0% { box-shadow: 0 0 0 0 color-mix(in srgb, var(--rose-strong) 55%, transparent); }
  70%, 100% { box-shadow: 0 0 0 9px transparent; }
`;

interface Props {
  $size?: number;
  $colour?: string;
  /** The ring of what has not been read. */
  $whispers?: boolean;
}

/** The calligrapher's dot: a square on its corner, corners softened by 28 %. It always carries a state. */
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
