import { styled } from 'styled-components';
import { textSize } from '../../theme/index.js';

export const PageTitle = styled.h1`
  ${textSize('36px', '32px')}
  font-weight: 900;
  line-height: 1.2;
  :lang(en) & {
    font-weight: 800;
    line-height: 1.05;
    letter-spacing: -0.022em;
  }
`;
