import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from './Icon.js';

interface Props {
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** A remove button on the corner of an attachment. Its parent must be positioned. */
export function RemoveButton({ label, disabled, onClick }: Props) {
  return (
    <Corner type="button" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon of={X} size="sm" />
    </Corner>
  );
}

const Corner = styled.button`
  position: absolute;
  inset-block-start: -8px;
  inset-inline-end: -8px;
  inline-size: 30px;
  block-size: 30px;
  border-radius: 50%;
  background: var(--inverse);
  color: var(--on-inverse);
  display: grid;
  place-items: center;
  box-shadow: 0 0 0 3px var(--surface);
  /* Enlarges the touch target. */
  &::after {
    content: '';
    position: absolute;
    inset: -7px;
  }
`;
