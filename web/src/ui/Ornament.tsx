import { ornament, ORNAMENT_BOX, ORNAMENT_PEN } from '@najwa/proto/ornament';
import { styled } from 'styled-components';

interface Props {
  bits: string;
  /** 24 in a line, 40 in a card, more on its own. From 48 its own dot is rose. */
  size: number;
  /** For the reader's own ornament. Elsewhere the adjacent text says everything. */
  label?: string;
  className?: string | undefined;
}

/** Stands for a message, never for its sender. */
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
