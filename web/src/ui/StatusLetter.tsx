import { css, keyframes, styled } from 'styled-components';
import { BOWL } from './Glyph.js';

export type SentStatus = 'later' | 'arrived' | 'read' | 'answered';

/** A square on its corner, with round corners. */
const square = (x: number, y: number, half: number): string => {
  const [near, far] = [0.3 * half, 0.7 * half];
  const corners = [
    [x - near, y - far, x, y - half, x + near, y - far],
    [x + far, y - near, x + half, y, x + far, y + near],
    [x + near, y + far, x, y + half, x - near, y + far],
    [x - far, y + near, x - half, y, x - far, y - near],
  ].map((corner) => corner.map((value) => String(Math.round(100 * value) / 100)));
  return `M${corners.map(([x0, y0, x1, y1, x2, y2]) => `${x0} ${y0}Q${x1} ${y1} ${x2} ${y2}`).join('L')}Z`;
};

/** ن, ت and ث, their dots close together, in the order in which they came. */
const DOTS: Record<SentStatus, readonly string[]> = {
  later: [],
  arrived: [square(32, 13, 8)],
  read: [square(23.5, 13, 7.2), square(40.5, 13, 7.2)],
  answered: [square(23, 19, 6.6), square(41, 19, 6.6), square(32, 5, 6.6)],
};

const COLOURS = ['var(--gold)', 'var(--mint)', 'var(--violet-text)'];

/** Tab icons cannot use the page's colours. */
const COLOURS_OF_TAB = ['#f5b94a', '#12875f', '#6c47ff'];

const BOX = '0 -4 64 64';

export const statusIcon = (status: SentStatus): string => {
  const dots = DOTS[status].map((d, index) => `<path fill="${COLOURS_OF_TAB[index]}" d="${d}"/>`);
  const paths = [`<path fill="#6c47ff" d="${BOWL}"/>`, ...dots].join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${BOX}">${paths}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

interface Props {
  status: SentStatus;
  size?: number;
  pending?: boolean;
  /** Just learnt: the new dot falls into place. */
  isNew?: boolean;
  className?: string;
}

/** Without dots on its way, ن delivered, ت read, ث answered. The adjacent word says the same. */
export function StatusLetter({ status, size = 28, pending = false, isNew = false, className }: Props) {
  const dots = DOTS[status];
  return (
    <Letter
      viewBox={BOX}
      width={size}
      height={size}
      className={className}
      data-letter={pending ? undefined : status}
      aria-hidden="true"
      $pending={pending}
    >
      <path d={BOWL} fill="currentColor" />
      {dots.map((d, index) => (
        <Dot
          key={d}
          d={d}
          fill={COLOURS[index]}
          data-part={isNew && index === dots.length - 1 ? 'new' : undefined}
          $isNew={isNew && index === dots.length - 1}
        />
      ))}
    </Letter>
  );
}

interface SentState {
  isRead: boolean | null;
  reply: unknown;
  arrivesBy?: string | undefined;
}

/** Hidden reading skips the second dot. @param message `isRead` is null or false where reading is hidden */
export const sentStatusOf = ({ isRead, reply, arrivesBy }: SentState): SentStatus => {
  if (reply !== null) return 'answered';
  return arrivesBy !== undefined ? 'later' : isRead === true ? 'read' : 'arrived';
};

/* The only transition above 200 ms that is no loop. */
const fall = keyframes`
  0% { transform: translateY(-34px); opacity: 0; }
  30% { opacity: 1; }
`;

const Letter = styled.svg<{ $pending: boolean }>`
  flex: none;
  overflow: visible;
  ${({ $pending }) =>
    $pending &&
    css`
      path {
        fill: none;
        stroke: var(--field);
        stroke-width: 2.4;
        stroke-dasharray: 4 3.4;
      }
    `}
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
