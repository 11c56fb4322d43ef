import { useId, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { Card, CardTitle } from '../../ui/index.js';
import { small } from '../../theme/index.js';

interface Props {
  id?: string;
  title: string;
  text?: string;
  children: ReactNode;
}

export function SettingsSection({ id, title, text, children }: Props) {
  const titleId = useId();
  return (
    <Section id={id} aria-labelledby={titleId}>
      <div>
        <CardTitle id={titleId}>{title}</CardTitle>
        {text !== undefined && <Description>{text}</Description>}
      </div>
      {children}
    </Section>
  );
}

const Section = styled(Card)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 20px;
  padding: 28px 32px 32px;
  ${({ theme }) => theme.media.phone} {
    padding: 22px 18px;
  }
`;

const Description = styled.p`
  margin-block-start: 2px;
  color: var(--ink-2);
  ${small}
`;
