import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Card } from './Card.js';
import { Glyph } from './Glyph.js';

interface Props {
  title: string;
  text?: string | undefined;
  level?: 2 | 3;
  children?: ReactNode;
  className?: string;
}

export function EmptyState({ title, text, level = 3, children, className }: Props) {
  const Title = `h${level}` as const;
  return (
    <Centred as="div" className={className}>
      <Bowl dots={1} />
      <Title>{title}</Title>
      {text !== undefined && <p>{text}</p>}
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
  h2,
  h3 {
    font-size: 1.25rem;
  }
  p {
    color: var(--ink-2);
    max-inline-size: 24.5em;
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
