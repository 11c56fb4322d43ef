import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { headline } from '../theme/index.js';
import { Glyph } from './Glyph.js';
import { MessageShape } from './MessageShape.js';
import { Container } from './layout.js';

interface Props {
  title: string;
  text: string;
  /** The bowl with its dot inside: no access. */
  locked?: boolean;
  children: ReactNode;
}

export function NoticePage({ title, text, locked = false, children }: Props) {
  return (
    <Centred>
      <NoticeCard element="section" state="none">
        {locked ? <LockedBowl dots={1} /> : <Bowl dots={0} />}
        <h1>{title}</h1>
        <p>{text}</p>
        {children}
      </NoticeCard>
    </Centred>
  );
}

const Centred = styled(Container)`
  display: grid;
  place-items: center;
  min-block-size: calc(100vh - 240px);
  padding-block: 40px;
  ${({ theme }) => theme.media.phone} {
    min-block-size: auto;
    padding-block: 24px;
  }
`;

const NoticeCard = styled(MessageShape)`
  max-inline-size: 520px;
  inline-size: 100%;
  padding: 48px 44px 40px;
  display: grid;
  gap: 12px;
  justify-items: start;
  box-shadow: var(--shadow-2);
  h1 {
    ${headline('32px', '28px', 1.4, 1.4)}
  }
  > p {
    color: var(--ink-2);
  }
  > :last-child {
    margin-block-start: 14px;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 36px 20px 28px;
  }
`;

const Bowl = styled(Glyph)`
  inline-size: 96px;
  block-size: 96px;
  color: var(--line-strong);
`;

const LockedBowl = styled(Bowl)`
  color: var(--ink);
  [data-part='dots'] {
    transform: translateY(15px);
    fill: var(--rose-strong);
  }
`;
