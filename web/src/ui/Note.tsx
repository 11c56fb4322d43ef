import { styled } from 'styled-components';
import { small } from '../theme/index.js';

export const Note = styled.p`
  color: var(--ink-2);
  ${small}
`;
