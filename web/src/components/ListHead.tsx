import { styled } from 'styled-components';
import { textSize } from '../theme/index.js';

export const ListHead = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 12px;
  padding-block-start: 8px;
  h2 {
    ${textSize('24px', '21px')}
  }
  > button {
    margin-inline-start: auto;
  }
  ${({ theme }) => theme.media.phone} {
    gap: 8px;
  }
`;
