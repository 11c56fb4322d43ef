import { styled } from 'styled-components';
import { small } from '../theme/index.js';

/** A line that explains something, smaller and quieter than the text around it. */
export const Note = styled.p`
  color: var(--ink-2);
  ${small}
`;
