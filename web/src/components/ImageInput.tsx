import type { Ref } from 'react';
import { styled } from 'styled-components';
import { visuallyHidden } from '../theme/index.js';

interface Props {
  ref: Ref<HTMLInputElement>;
  onChoose: (file: File) => void;
  /** In a form that is sent without scripts too. A visible label opens it, for keyboards as well. */
  name?: string;
  /** Said by screen readers where the label shows a sign alone. */
  label?: string;
  disabled?: boolean;
}

/** A hidden file input for pictures. A visible button opens it. */
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
