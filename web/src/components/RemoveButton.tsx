import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from './Icon.js';

interface Props {
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** On the corner of something that was attached; it stands in what is positioned. */
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
  /* A finger needs more than the eye. */
  &::after {
    content: '';
    position: absolute;
    inset: -7px;
  }
`;
