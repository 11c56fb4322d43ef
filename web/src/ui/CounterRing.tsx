import { useState } from 'react';
import { css, styled } from 'styled-components';
import { useFormats } from '../i18n/index.js';
import { textSize } from '../theme/index.js';
import { Spoken } from './Spoken.js';

/** Characters from the limit at which the colour changes. */
const WARNING_DISTANCE = 35;

interface Props {
  used: number;
  limit: number;
  /** Accessible label, visible if the text is too long. */
  label: string;
}

export function CounterRing({ used, limit, label }: Props) {
  const { number } = useFormats();
  // Announced once, not per letter.
  const [said, setSaid] = useState('');
  const isExcess = used > limit;
  if (isExcess !== (said !== '')) setSaid(isExcess ? label : '');
  const isNear = used > limit - WARNING_DISTANCE;
  return (
    <>
      <Spoken role="status">{said}</Spoken>
      <Count $near={isNear} role="img" aria-label={label} data-testid="counter">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <circle
            cx="12"
            cy="12"
            r="9"
            pathLength={limit}
            strokeDasharray={`${String(Math.min(used, limit))} ${String(limit)}`}
          />
        </svg>
        {isExcess ? (
          <span>{label}</span>
        ) : (
          <span aria-hidden="true">
            <bdi data-digits={String(used).length}>{number(used)}</bdi> / <bdi>{number(limit)}</bdi>
          </span>
        )}
      </Count>
    </>
  );
}

const digitBoxes = [1, 2, 3, 4].map(
  (digits) => css`
    :lang(ar) & [data-digits='${digits}'] {
      min-inline-size: ${0.7 * digits}em;
    }
  `,
);

const Count = styled.span<{ $near: boolean }>`
  display: inline-flex;
  gap: 8px;
  align-items: center;
  ${textSize('14px', '13px')}
  font-variant-numeric: tabular-nums;
  color: ${({ $near }) => ($near ? 'var(--rose-text)' : 'var(--ink-3)')};
  font-weight: ${({ $near }) => ($near ? 700 : 400)};
  /* Arabic digits vary in width, and what follows must not move while typing. */
  :lang(ar) & [data-digits] {
    display: inline-block;
    text-align: center;
  }
  ${digitBoxes}
  svg {
    inline-size: 22px;
    block-size: 22px;
    rotate: -90deg;
  }
  circle {
    fill: none;
    stroke: var(--line);
    stroke-width: 3.5;
  }
  circle:last-child {
    stroke: ${({ $near }) => ($near ? 'var(--rose-strong)' : 'var(--violet)')};
  }
`;
