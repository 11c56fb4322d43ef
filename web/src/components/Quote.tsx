import { styled } from 'styled-components';

/** Words of somebody else. */
export const Quote = styled.blockquote`
  background: var(--sunken);
  border-radius: 18px;
  border-end-start-radius: 5px;
  padding: 14px 18px;
  line-height: 1.75;
  overflow-wrap: anywhere;
  white-space: pre-line;
  text-align: start;
  :lang(en) & {
    line-height: 1.6;
  }
`;

/** Long ones scroll, so that the form below stays in view. */
export const DialogQuote = styled(Quote)<{ $maxHeight?: string }>`
  color: var(--ink-2);
  max-block-size: ${({ $maxHeight = '24vh' }) => $maxHeight};
  overflow: auto;
`;
