import { styled } from 'styled-components';
import { Glyph } from './Glyph.js';

/** The assistant's avatar beside its messages. */
export const AssistantFace = styled(Glyph).attrs({ dots: 2 })`
  inline-size: 34px;
  block-size: 34px;
  padding: 5px 5px 7px;
  background: var(--violet);
  color: var(--on-violet);
  border-radius: 50%;
  border-end-start-radius: 14%;
  flex: none;
  [data-part='dots'] {
    fill: var(--gold);
  }
`;
