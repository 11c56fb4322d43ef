import { css, styled } from 'styled-components';
import { useFormats } from '../i18n/index.js';
import { textSize } from '../theme/index.js';

export interface CountItem {
  label: string;
  value: number | undefined;
  testId?: string;
  short?: string;
}

/** Unknown numbers keep their space. No zero is shown: Arabic ones look like dots. */
export function Counts({ items, className }: { items: readonly CountItem[]; className?: string }) {
  const { number } = useFormats();
  const shown = items.filter(({ value }) => value !== 0);
  if (shown.length === 0) return null;
  return (
    <List className={className}>
      {shown.map(({ label, value, testId, short }) => (
        <div key={label}>
          <dt>
            {short === undefined ? (
              label
            ) : (
              <>
                <Long>{label}</Long>
                <Short>{short}</Short>
              </>
            )}
          </dt>
          <dd data-testid={testId}>{value === undefined ? '\u2007' : number(value)}</dd>
        </div>
      ))}
    </List>
  );
}

const List = styled.dl`
  display: flex;
  gap: 28px;
  div {
    display: flex;
    flex-direction: column-reverse;
    justify-content: flex-end;
  }
  dd {
    font-weight: 800;
    ${textSize('26px', '23px')}
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
    :lang(en) & {
      font-weight: 700;
      letter-spacing: -0.02em;
    }
  }
  dt {
    ${textSize('16px', '13px')}
    color: var(--ink-3);
    line-height: 1.5;
  }
`;

export const countsInLine = css`
  gap: 0 12px;
  div {
    flex-direction: row-reverse;
    gap: 4px;
    align-items: baseline;
  }
  && :is(dt, dd) {
    font-size: inherit;
    line-height: inherit;
    letter-spacing: 0;
  }
  dd {
    font-weight: 700;
  }
`;

const Long = styled.span`
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;

const Short = styled.span`
  display: none;
  ${({ theme }) => theme.media.phone} {
    display: inline;
  }
`;
