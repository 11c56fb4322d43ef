import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { small, textSize } from '../../../theme/index.js';

interface Props {
  title: string;
  facts: ReactNode;
  badges: ReactNode;
}

export function DetailHeader({ title, facts, badges }: Props) {
  return (
    <Head>
      <div>
        <h2>{title}</h2>
        <p>{facts}</p>
      </div>
      <Badges>{badges}</Badges>
    </Head>
  );
}

const Head = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  h2 {
    ${textSize('20px', '18px')}
  }
  p {
    color: var(--ink-3);
    ${small}
  }
`;

const Badges = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
`;
