import { useId } from 'react';
import { styled } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';
import { Switch } from './Switch.js';

interface Props {
  label: string;
  hint: string;
  checked: boolean;
  pending: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function SwitchRow({ label, hint, checked, pending, disabled = false, onChange }: Props) {
  const id = useId();
  return (
    <Row>
      <span>
        <label htmlFor={id}>{label}</label>
        <small id={`${id}-hint`}>{hint}</small>
      </span>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        pending={pending}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  gap: 16px;
  align-items: center;
  justify-content: space-between;
  min-block-size: 44px;
  & + & {
    border-block-start: 1px solid var(--line);
    margin-block-start: 16px;
    padding-block-start: 14px;
  }
  label {
    display: block;
    ${semibold}
    line-height: 1.5;
  }
  small {
    display: block;
    ${textSize('15px', '13px')}
    line-height: 1.55;
    color: var(--ink-3);
  }
`;
