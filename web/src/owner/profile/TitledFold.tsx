import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Fold } from '../../ui/index.js';

export function TitledFold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section summary={<h2>{title}</h2>}>
      <Inside>{children}</Inside>
    </Section>
  );
}

const Section = styled(Fold)`
  h2 {
    font: inherit;
    letter-spacing: 0;
  }
`;

const Inside = styled.div`
  padding: 0 14px 12px;
`;
