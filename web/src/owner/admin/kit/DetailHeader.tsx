import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { small, textSize } from '../../../theme/index.js';
import { Row } from '../../../ui/index.js';

interface Props {
  title: string;
  facts: ReactNode;
  badges: ReactNode;
}

export function DetailHeader({ title, facts, badges }: Props) {
  return (
    <Head as="header" $between>
      <div>
        <h2>{title}</h2>
        <p>{facts}</p>
      </div>
      <Row as="span">{badges}</Row>
    </Head>
  );
}

const Head = styled(Row)`
  h2 {
    ${textSize('20px', '18px')}
  }
  p {
    color: var(--ink-3);
    ${small}
  }
`;
