import type { Ref } from 'react';
import { styled } from 'styled-components';
import { visuallyHidden } from '../theme/index.js';

interface Props {
  ref: Ref<HTMLInputElement>;
  onChoose: (file: File) => void;
  name?: string;
  /** For labels that show only a sign. */
  label?: string;
  disabled?: boolean;
}

/** Hidden; a visible label or button opens it. */
export function ImageInput({ ref, onChoose, name, label, disabled }: Props) {
  return (
    <Hidden
      ref={ref}
      type="file"
      accept="image/*"
      name={name}
      aria-label={label}
      disabled={disabled}
      {...(name === undefined && { tabIndex: -1, 'aria-hidden': true })}
      data-testid="image-file"
      onChange={(event) => {
        const [chosen] = event.target.files ?? [];
        if (chosen !== undefined) onChoose(chosen);
        event.target.value = '';
      }}
    />
  );
}

const Hidden = styled.input`
  ${visuallyHidden}
`;
