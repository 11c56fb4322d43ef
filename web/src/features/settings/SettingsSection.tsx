import { useId, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { Card, CardTitle } from '../../components/index.js';
import { small } from '../../theme/index.js';

interface Props {
  title: string;
  text: string;
  children: ReactNode;
}

/** A title and a description beside the content. Stacked on phones. */
export function SettingsSection({ title, text, children }: Props) {
  const id = useId();
  return (
    <Section aria-labelledby={id}>
      <div>
        <CardTitle id={id}>{title}</CardTitle>
        <Description>{text}</Description>
      </div>
      <Content>{children}</Content>
    </Section>
  );
}

const Section = styled(Card)`
  display: grid;
  grid-template-columns: 300px minmax(0, 1fr);
  gap: 32px;
  padding: 32px;
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
    gap: 18px;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 22px 18px;
  }
`;

const Description = styled.p`
  color: var(--ink-2);
  ${small}
`;

const Content = styled.div`
  max-inline-size: 620px;
  min-inline-size: 0;
`;
