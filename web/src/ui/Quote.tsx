import { type ReactNode, useRef } from 'react';
import { styled } from 'styled-components';
import { useOverflow } from './use-overflow.js';

export const Quote = styled.blockquote`
  background: var(--sunken);
  border-radius: 18px;
  border-end-start-radius: 5px;
  padding: 14px 18px;
  line-height: 1.75;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
  text-align: start;
  :lang(en) & {
    line-height: 1.6;
  }
`;

interface DialogQuoteProps {
  maxHeight?: string;
  children: ReactNode;
}

/** Long quotes scroll, so that the form stays visible. */
export function DialogQuote({ maxHeight = '24vh', children }: DialogQuoteProps) {
  const quote = useRef<HTMLQuoteElement>(null);
  const scrolls = useOverflow(quote);
  // Focusable: without a mouse, only focus allows scrolling.
  return (
    <Scrolled ref={quote} $maxHeight={maxHeight} dir="auto" tabIndex={scrolls ? 0 : undefined}>
      {children}
    </Scrolled>
  );
}

const Scrolled = styled(Quote)<{ $maxHeight: string }>`
  color: var(--ink-2);
  max-block-size: ${({ $maxHeight }) => $maxHeight};
  overflow: auto;
`;
