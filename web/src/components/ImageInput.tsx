import type { Ref } from 'react';
import { styled } from 'styled-components';
import { visuallyHidden } from '../theme/index.js';

interface Props {
  ref: Ref<HTMLInputElement>;
  onChoose: (file: File) => void;
}

/** A hidden file input for pictures. A visible button opens it. */
export function ImageInput({ ref, onChoose }: Props) {
  return (
    <Hidden
      ref={ref}
      type="file"
      accept="image/*"
      tabIndex={-1}
      aria-hidden="true"
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
