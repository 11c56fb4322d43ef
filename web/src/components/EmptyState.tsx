import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Card } from './Card.js';
import { Glyph } from './Glyph.js';

interface Props {
  title: string;
  text: string;
  children?: ReactNode;
  className?: string;
}

/** Placeholder for an empty list. It has at most one button. */
export function EmptyState({ title, text, children, className }: Props) {
  return (
    <Centred as="div" className={className}>
      <Bowl dots={1} />
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </Centred>
  );
}

const Centred = styled(Card)`
  display: grid;
  justify-items: center;
  gap: 6px;
  padding: 56px 24px;
  text-align: center;
  h3 {
    font-size: 1.25rem;
  }
  p {
    color: var(--ink-2);
    max-inline-size: 40ch;
  }
`;

const Bowl = styled(Glyph)`
  inline-size: 92px;
  block-size: 92px;
  color: var(--line-strong);
  margin-block-end: 10px;
  [data-part='dots'] {
    fill: none;
    stroke: var(--rose-strong);
    stroke-width: 1.6;
    stroke-dasharray: 3 3;
  }
`;
