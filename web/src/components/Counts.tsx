import { styled } from 'styled-components';
import { useFormats, useTranslation } from '../i18n/index.js';
import { textSize } from '../theme/index.js';

export interface CountItem {
  label: string;
  value: number | undefined;
  testId?: string;
}

/** Numbers beside ornaments. The Arabic zero is a diamond as they are, so it is a word there. */
export function useCountText(): (value: number) => string {
  const { number } = useFormats();
  const { t } = useTranslation();
  return (value) => (value === 0 ? t('common.zero') : number(value));
}

/** Numbers above their labels. An unknown number keeps its space. */
export function Counts({ items, className }: { items: readonly CountItem[]; className?: string }) {
  const shown = useCountText();
  return (
    <List className={className}>
      {items.map(({ label, value, testId }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-testid={testId}>{value === undefined ? '\u2007' : shown(value)}</dd>
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
