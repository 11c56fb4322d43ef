import { css, styled } from 'styled-components';
import { textSize } from '../theme/index.js';

export const cardSurface = css`
  background: var(--surface);
  border: 1px solid var(--line);
  ${({ theme }) => theme.bubble.card}
  box-shadow: var(--shadow-1);
  position: relative;
  ${({ theme }) => theme.media.phone} {
    ${({ theme }) => theme.bubble.cardPhone}
  }
`;

export const Card = styled.section`
  ${cardSurface}
  padding: 24px;
  ${({ theme }) => theme.media.phone} {
    padding: 20px 18px;
  }
`;

export const CardTitle = styled.h2`
  ${textSize('19px', '17px')}
  line-height: 1.5;
  :lang(en) & {
    line-height: 1.5;
  }
`;
