import type { ComponentProps } from 'react';
import { styled } from 'styled-components';

interface Props extends Omit<ComponentProps<'input'>, 'checked' | 'type'> {
  checked?: boolean | 'indeterminate' | undefined;
  onCheckedChange?: (checked: boolean) => void;
}

/** Works in forms without scripts. */
export function Checkbox({ checked, onCheckedChange, onChange, ref, ...rest }: Props) {
  return (
    <Box
      {...rest}
      type="checkbox"
      ref={(element) => {
        if (element !== null) element.indeterminate = checked === 'indeterminate';
        if (typeof ref === 'function') ref(element);
        else if (ref) ref.current = element;
      }}
      checked={checked === undefined ? undefined : checked === true}
      onChange={(event) => {
        onChange?.(event);
        onCheckedChange?.(event.target.checked);
      }}
    />
  );
}

const Box = styled.input`
  appearance: none;
  inline-size: 24px;
  block-size: 24px;
  margin: 0;
  border: 1.5px solid var(--field);
  border-radius: 7px;
  border-end-start-radius: 2px;
  background: var(--surface);
  display: grid;
  place-items: center;
  flex: none;
  cursor: pointer;
  &:hover {
    border-color: var(--ink-2);
  }
  &:is(:checked, :indeterminate) {
    background: var(--violet);
    border-color: var(--violet);
  }
  /* The dot of StatusDot. */
  &:is(:checked, :indeterminate)::before {
    content: '';
    inline-size: 9px;
    block-size: 9px;
    border-radius: 28%;
    transform: rotate(45deg);
    background: var(--on-violet);
    @media (forced-colors: active) {
      forced-color-adjust: none;
      background: CanvasText;
    }
  }
  &:disabled {
    opacity: 0.45;
    cursor: default;
  }
`;
