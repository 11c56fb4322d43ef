import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';

interface Option<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
  details?: ReactNode;
}

interface Props<Value extends string> {
  label: string;
  name: string;
  /** Null before the first choice. */
  value: Value | null;
  options: readonly Option<Value>[];
  disabled?: boolean;
  onChange: (value: Value) => void;
}

export function OptionList<Value extends string>({ label, name, value, options, disabled, onChange }: Props<Value>) {
  return (
    <List aria-label={label} disabled={disabled}>
      {options.map((option) => (
        <Row key={option.value}>
          <label>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>
              <b>{option.label}</b>
              {option.hint !== undefined && <small>{option.hint}</small>}
            </span>
          </label>
          {option.value === value && option.details !== undefined && <Details>{option.details}</Details>}
        </Row>
      ))}
    </List>
  );
}

const List = styled.fieldset`
  display: grid;
  gap: 8px;
  min-inline-size: 0;
  border: 0;
`;

const Row = styled.div`
  border: 1px solid var(--line-strong);
  border-radius: 16px;
  border-end-start-radius: 5px;
  &:has(:checked) {
    border-color: var(--violet);
    box-shadow: inset 0 0 0 1px var(--violet);
    background: color-mix(in srgb, var(--violet-tint) 42%, var(--surface));
    b {
      ${semibold}
    }
  }
  @media (forced-colors: active) {
    &:has(:checked) {
      outline: 2px solid Highlight;
    }
  }
  > label {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 14px;
    align-items: start;
    min-block-size: 48px;
    padding: 13px 16px;
    cursor: pointer;
  }
  b {
    display: block;
    font-weight: 500;
    line-height: 1.6;
  }
  small {
    display: block;
    ${textSize('15px', '13px')}
    line-height: 1.6;
    color: var(--ink-3);
  }
  input[type='radio'] {
    appearance: none;
    display: grid;
    place-items: center;
    inline-size: 22px;
    block-size: 22px;
    margin: 2px 0 0;
    border: 1.5px solid var(--field);
    border-radius: 50%;
    border-end-start-radius: 4px;
    background: var(--surface);
    &:checked {
      background: var(--violet);
      border-color: var(--violet);
      &::after {
        content: '';
        inline-size: 9px;
        block-size: 9px;
        border-radius: 28%;
        background: var(--on-violet);
        transform: rotate(45deg);
      }
    }
  }
`;

const Details = styled.div`
  padding: 0 52px 13px;
  ${({ theme }) => theme.media.phone} {
    padding-inline-end: 16px;
  }
`;
