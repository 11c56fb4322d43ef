import { styled } from 'styled-components';
import { Container } from '../../ui/index.js';

export const NarrowColumn = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  max-inline-size: calc(680px + 2 * var(--gutter));
  padding-block: 28px 24px;
`;
