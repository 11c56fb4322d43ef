import { BadgeCheck, Crown, Gem } from 'lucide-react';
import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { textSize } from '../theme/index.js';
import { DeveloperAvatar } from './Avatar.js';
import { type CountItem, Counts } from './Counts.js';
import { Handle, UserText } from './UserText.js';
import { Icon } from './Icon.js';
import { StatusDot } from './StatusDot.js';
import { VerifiedBadge } from './Badge.js';

interface Props {
  name: string;
  username: string;
  counts: readonly CountItem[];
  /** Shown after the username, each with a gold dot before it. */
  facts: readonly ReactNode[];
  /** Buttons of its owner. */
  children?: ReactNode;
}

/** The dark banner of verified administrators. */
export function PremiumBanner({ name, username, counts, facts, children }: Props) {
  return (
    <DarkSection data-testid="premium-banner">
      <Portrait $size={128} />
      <Details>
        <PremiumLabels />
        <h1>
          <UserText>{name}</UserText> <VerifiedBadge />
        </h1>
        <p>
          <span>
            <Handle username={username} />
          </span>
          {facts.map((fact, index) => (
            <Fact key={index}>
              <StatusDot $size={6} $colour="var(--gold)" />
              {fact}
            </Fact>
          ))}
        </p>
      </Details>
      <PremiumCounts items={counts} />
      {children !== undefined && <Actions>{children}</Actions>}
    </DarkSection>
  );
}

/** The three labels of verified administrators. */
export function PremiumLabels() {
  return (
    <Labels>
      <li>
        <Icon of={Gem} size="sm" />
        PREMIUM
      </li>
      <li>
        <Icon of={Crown} size="sm" />
        VIP
      </li>
      <li>
        <Icon of={BadgeCheck} size="sm" />
        VERIFIED ACCOUNT
      </li>
    </Labels>
  );
}

const fade = (direction: string) => css`
  mask: linear-gradient(${direction}, #000, transparent 75%);
`;

const DarkSection = styled.section`
  background: var(--night);
  color: var(--on-night);
  border-radius: 40px;
  border-end-start-radius: 10px;
  padding: 40px;
  display: flex;
  gap: 32px;
  align-items: center;
  position: relative;
  overflow: hidden;
  isolation: isolate;
  margin-block-start: 24px;
  box-shadow: inset 0 0 0 1.5px color-mix(in srgb, var(--gold) 60%, transparent);
  &::before {
    content: '';
    position: absolute;
    inset: 0;
    z-index: -1;
    background: var(--pattern-gold);
    opacity: 0.15;
    ${fade('to left')}
    [dir='rtl'] & {
      ${fade('to right')}
    }
  }
  ${({ theme }) => theme.media.phone} {
    flex-direction: column;
    align-items: flex-start;
    padding: 28px 22px;
    gap: 20px;
    border-radius: 30px;
    border-end-start-radius: 9px;
    margin-block-start: 12px;
  }
`;

const Portrait = styled(DeveloperAvatar)`
  ${({ theme }) => theme.media.phone} {
    inline-size: 96px;
    block-size: 96px;
  }
`;

const Details = styled.div`
  flex: 1;
  min-inline-size: 0;
  display: grid;
  gap: 8px;
  h1 {
    font-weight: 900;
    ${textSize('34px', '30px')}
    line-height: 1.4;
    display: flex;
    gap: 8px;
    align-items: center;
    overflow-wrap: anywhere;
    :lang(en) & {
      letter-spacing: -0.02em;
      line-height: 1.3;
    }
    svg {
      --tick: #16132a;
      color: var(--gold);
      inline-size: 26px;
      block-size: 26px;
    }
  }
  p {
    display: flex;
    gap: 14px;
    align-items: center;
    flex-wrap: wrap;
    color: var(--on-night-2);
  }
  ${({ theme }) => theme.media.phone} {
    h1 {
      ${textSize('28px', '28px')}
    }
  }
`;

const Fact = styled.span`
  display: inline-flex;
  gap: 14px;
  align-items: center;
  ${({ theme }) => theme.media.phone} {
    > span:first-child {
      display: none;
    }
  }
`;

/* The labels are English in both languages. */
const Labels = styled.ul`
  display: flex;
  gap: 8px;
  flex-wrap: wrap;
  direction: ltr;
  justify-content: flex-start;
  [dir='rtl'] & {
    justify-content: flex-end;
  }
  li {
    font: 700 12px/1 ${({ theme }) => theme.font.latin};
    letter-spacing: 0.09em;
    color: #2a1b00;
    background: linear-gradient(120deg, #ffe1a0, #f5b94a 55%, #dc9a2c);
    padding-block: 7px;
    padding-inline: 9px 11px;
    ${({ theme }) => theme.bubble.badge}
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  li:nth-child(3) {
    background: none;
    color: var(--gold);
    box-shadow: inset 0 0 0 1.5px var(--gold);
  }
  svg {
    inline-size: 14px;
    block-size: 14px;
    stroke-width: 2;
  }
  ${({ theme }) => theme.media.phone} {
    li {
      font-size: 0.6875rem;
      letter-spacing: 0.06em;
    }
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  > a {
    background: none;
    color: var(--on-night);
    box-shadow: inset 0 0 0 1.5px rgb(255 255 255 / 0.3);
    &:hover {
      background: rgb(255 255 255 / 0.1);
    }
  }
  ${({ theme }) => theme.media.phone} {
    inline-size: 100%;
    > * {
      flex: 1;
    }
  }
`;

const PremiumCounts = styled(Counts)`
  dt {
    color: var(--on-night-2);
  }
  dd {
    ${textSize('30px', '30px')}
  }
  div + div {
    border-inline-start: 1px solid rgb(255 255 255 / 0.14);
    padding-inline-start: 28px;
  }
  ${({ theme }) => theme.media.phone} {
    inline-size: 100%;
    border-block-start: 1px solid rgb(255 255 255 / 0.14);
    padding-block-start: 16px;
    gap: 20px;
    dd {
      ${textSize('25px', '25px')}
    }
    div + div {
      padding-inline-start: 20px;
    }
  }
`;
