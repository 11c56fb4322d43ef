import { styled } from 'styled-components';
import { small, textSize } from '../../theme/index.js';
import { Container } from '../../ui/index.js';

export const NarrowColumn = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  max-inline-size: calc(680px + 2 * var(--gutter));
  padding-block: 28px 24px;
`;

export const Recipient = styled.header`
  display: flex;
  gap: 14px;
  align-items: center;
  > div {
    min-inline-size: 0;
  }
  h1 {
    ${textSize('27px', '24px')}
    line-height: 1.4;
    font-weight: 800;
    overflow-wrap: anywhere;
    :lang(en) & {
      letter-spacing: -0.02em;
      line-height: 1.4;
    }
  }
  p {
    color: var(--ink-3);
  }
`;

export const Hint = styled.p`
  color: var(--ink-2);
  ${small}
`;
