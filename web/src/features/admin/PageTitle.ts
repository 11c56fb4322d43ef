import { styled } from 'styled-components';
import { textSize } from '../../theme/index.js';

export const PageTitle = styled.h1`
  ${textSize('36px', '32px')}
  font-weight: 900;
  :lang(en) & {
    font-weight: 800;
    letter-spacing: -0.022em;
  }
`;
