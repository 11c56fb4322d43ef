import { css, keyframes, styled } from 'styled-components';
import { BOWL } from './Glyph.js';

export type SentStatus = 'arrived' | 'read' | 'answered';

const square = (x: number, y: number, half: number): string =>
  `M${String(x)} ${String(y - half)}l${String(half)} ${String(half)} ${String(-half)} ${String(half)} ${String(-half)} ${String(-half)}z`;

/** ن, ت and ث: the dots stand close together, as in writing, in the order in which they came. */
const DOTS: Record<SentStatus, readonly string[]> = {
  arrived: [square(32, 13, 8)],
  read: [square(23.5, 13, 7.2), square(40.5, 13, 7.2)],
  answered: [square(23, 19, 6.6), square(41, 19, 6.6), square(32, 5, 6.6)],
};

const COLOURS = ['var(--gold)', 'var(--mint)', 'var(--violet-text)'];

interface Props {
  status: SentStatus;
  size?: number;
  /** The page has just learnt of it: the new dot falls into its place. */
  isNew?: boolean;
  className?: string;
}

/** The status of a message for whoever sent it: ن arrived, ت read, ث answered. The word beside it says the same. */
export function StatusLetter({ status, size = 28, isNew = false, className }: Props) {
  const dots = DOTS[status];
  return (
    <Letter
      viewBox="0 -4 64 64"
      width={size}
      height={size}
      className={className}
      data-letter={status}
      aria-hidden="true"
    >
      <path d={BOWL} fill="currentColor" />
      {dots.map((d, index) => (
        <Dot key={d} d={d} fill={COLOURS[index]} $isNew={isNew && index === dots.length - 1} />
      ))}
    </Letter>
  );
}

/**
 * What the sender sees of what became of a message. Where its recipient does not tell of reading, it goes from one dot to three.
 * @param message as its sender gets it: `isRead` is null, or false, where reading is not told
 */
export const sentStatusOf = ({ isRead, reply }: { isRead: boolean | null; reply: unknown }): SentStatus => {
  if (reply !== null) return 'answered';
  return isRead === true ? 'read' : 'arrived';
};

/* The one movement over 200 ms that is no loop. */
const fall = keyframes`
  0% { transform: translateY(-34px); opacity: 0; }
  30% { opacity: 1; }
`;

const Letter = styled.svg`
  flex: none;
  overflow: visible;
  @media (forced-colors: active) {
    forced-color-adjust: none;
    color: CanvasText;
  }
`;

const Dot = styled.path<{ $isNew: boolean }>`
  ${({ $isNew }) =>
    $isNew &&
    css`
      animation: ${fall} 600ms var(--ease-drop) both;
    `}
`;
