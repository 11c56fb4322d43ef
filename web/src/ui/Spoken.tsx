import { styled } from 'styled-components';
import { visuallyHidden } from '../theme/index.js';

export const Spoken = styled.span`
  ${visuallyHidden}
`;
