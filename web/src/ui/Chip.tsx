import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { textSize } from '../theme/index.js';

export const ChipGroup = styled(ToggleGroup.Root)`
  display: flex;
  gap: 8px;
  flex-wrap: wrap;
  margin-block-end: 6px;
`;

export const Chip = styled(ToggleGroup.Item)`
  min-block-size: 40px;
  padding: 4px 16px;
  ${({ theme }) => theme.bubble.chip}
  border: 1px solid var(--line-strong);
  background: var(--surface);
  font-weight: 500;
  ${textSize('15px', '14px')}
  line-height: 1.6;
  display: inline-flex;
  gap: 8px;
  align-items: center;
  white-space: nowrap;
  ${({ theme }) => theme.media.phone} {
    min-block-size: 44px;
  }
  > span {
    color: var(--ink-3);
    font-size: 0.92em;
    font-variant-numeric: tabular-nums;
  }
  &:hover {
    background: var(--sunken);
  }
  &:disabled {
    opacity: 0.45;
  }
  &[data-state='on'] {
    background: var(--ink);
    color: var(--paper);
    border-color: var(--ink);
    > span {
      color: inherit;
      opacity: 0.72;
    }
  }
`;

interface FilterProps<Value extends string> {
  label: string;
  value: Value;
  /** Without a number while it is unknown. */
  options: readonly { value: Value; label: string; count?: ReactNode }[];
  onChoose: (value: Value) => void;
}

export function FilterChips<Value extends string>({ label, value, options, onChoose }: FilterProps<Value>) {
  return (
    <Tabs
      type="single"
      value={value}
      aria-label={label}
      onValueChange={(pressed) => {
        const chosen = options.find((option) => option.value === pressed);
        if (chosen !== undefined) onChoose(chosen.value);
      }}
    >
      {options.map((option) => (
        <Chip key={option.value} value={option.value}>
          {option.label}
          {option.count !== undefined && <span>{option.count}</span>}
        </Chip>
      ))}
    </Tabs>
  );
}

/** On phones one row that fades where it goes on. */
const Tabs = styled(ChipGroup)`
  ${({ theme }) => theme.media.phone} {
    gap: 2px;
    flex-wrap: nowrap;
    overflow-x: auto;
    scrollbar-width: none;
    margin-inline: -16px;
    margin-block: -4px;
    padding-block: 4px;
    padding-inline: 16px 48px;
    mask-image: linear-gradient(to left, #000 calc(100% - 56px), transparent);
    :lang(en) & {
      mask-image: linear-gradient(to right, #000 calc(100% - 56px), transparent);
    }
    ${Chip} {
      position: relative;
      flex: none;
      min-block-size: 36px;
      padding: 4px 13px;
      border-color: transparent;
      color: var(--ink-2);
      &:not([data-state='on']) {
        background: none;
      }
      &[data-state='on'] {
        color: var(--paper);
        font-weight: 700;
      }
      /* Enlarges the touch target. */
      &::after {
        content: '';
        position: absolute;
        inset: -5px 0;
      }
    }
  }
  b {
    color: var(--rose-text);
  }
  [data-state='on'] b {
    color: inherit;
  }
`;
