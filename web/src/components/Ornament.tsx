import { ornament, ORNAMENT_BOX, ORNAMENT_PEN } from '@najwa/proto/ornament';
import { styled } from 'styled-components';

interface Props {
  /** Of the message. */
  bits: string;
  /** 24 in a line, 40 in a card, more where it stands alone. From 48 its own dot is rose. */
  size: number;
  /** Set if the ornament is the reader's own. Elsewhere the words beside it say all that counts. */
  label?: string;
  className?: string | undefined;
}

/** The ornament of a message. It stands for the message, never for whoever sent it. */
export function Ornament({ bits, size, label, className }: Props) {
  const { d, accent } = ornament(bits);
  return (
    <Drawing
      viewBox={`0 0 ${String(ORNAMENT_BOX)} ${String(ORNAMENT_BOX)}`}
      width={size}
      height={size}
      className={className}
      data-part="ornament"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={d} />
      <path d={accent} stroke={size >= 48 ? 'var(--rose)' : undefined} />
    </Drawing>
  );
}

const Drawing = styled.svg`
  flex: none;
  fill: none;
  stroke: ${({ width }) => (Number(width) >= 80 ? 'var(--violet)' : 'var(--ink-2)')};
  stroke-width: ${ORNAMENT_PEN};
  stroke-linecap: round;
  stroke-linejoin: round;
`;
