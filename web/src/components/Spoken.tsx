import { styled } from 'styled-components';
import { visuallyHidden } from '../theme/index.js';

/** Words for screen readers alone. */
export const Spoken = styled.span`
  ${visuallyHidden}
`;
