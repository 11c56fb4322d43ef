import { styled } from 'styled-components';
import { small } from '../theme/index.js';

export const Note = styled.p`
  color: var(--ink-2);
  ${small}
`;

export const IconNote = styled(Note)`
  display: flex;
  gap: 8px;
  align-items: flex-start;
  svg {
    flex: none;
    margin-block-start: 4px;
  }
`;
