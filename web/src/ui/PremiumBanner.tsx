import { BadgeCheck, ChevronDown, Crown, Gem } from 'lucide-react';
import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { useTranslation } from '../i18n/index.js';
import { lineUntilOpen, textSize } from '../theme/index.js';
import { DeveloperAvatar } from './Avatar.js';
import { type CountItem, Counts, countsInLine } from './Counts.js';
import { Handle, UserText } from './UserText.js';
import { Icon } from './Icon.js';
import { StatusDot } from './StatusDot.js';
import { VerifiedBadge } from './Badge.js';

interface Props {
  name: string;
  username: string;
  counts: readonly CountItem[];
  /** After the username, each with a gold dot. */
  facts: readonly ReactNode[];
  /** On phones a press opens it, with everything that one line cannot hold. */
  bio: string;
}

export function PremiumBanner({ name, username, counts, facts, bio }: Props) {
  const { t } = useTranslation();
  return (
    <DarkSection data-testid="premium-banner">
      <Portrait $size={128} />
      <Details>
        <PremiumLabels />
        <h1>
          <span>
            <UserText>{name}</UserText>
          </span>{' '}
          <VerifiedBadge />
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
      <Foot>
        <PremiumCounts items={counts} />
        {bio !== '' && (
          <Bio>
            <summary>
              {t('publicPage.bio')}
              <Icon of={ChevronDown} size="sm" />
            </summary>
            <p dir="auto">{bio}</p>
          </Bio>
        )}
      </Foot>
    </DarkSection>
  );
}

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
    flex-wrap: wrap;
    gap: 0 12px;
    padding: 6px 12px 4px;
    border-radius: 20px;
    border-end-start-radius: 6px;
    margin-block-start: 2px;
  }
`;

const Portrait = styled(DeveloperAvatar)`
  ${({ theme }) => theme.media.phone} {
    inline-size: 44px;
    block-size: 44px;
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
    grid-template-columns: minmax(0, auto) minmax(0, auto) minmax(0, 1fr);
    gap: 0 8px;
    align-items: center;
    h1 {
      ${textSize('18px', '16.5px')}
      line-height: 1.5625rem;
      gap: 6px;
      min-inline-size: 0;
      :lang(en) & {
        line-height: 1.5625rem;
      }
      > span {
        ${lineUntilOpen('section')}
      }
      svg {
        inline-size: 18px;
        block-size: 18px;
        flex: none;
      }
    }
    p {
      display: contents;
    }
    p > span {
      ${lineUntilOpen('section')}
      ${textSize('14px', '13px')}
      line-height: 1.5625rem;
    }
    /* The labels' own styles come later in the sheet. */
    && ul {
      order: 1;
      grid-column: 1 / -1;
      gap: 4px;
      flex-wrap: nowrap;
    }
    && li {
      font-size: 0.6rem;
      letter-spacing: 0.05em;
      padding: 4px 6px;
      border-radius: 7px;
      border-end-start-radius: 2px;
      gap: 4px;
      white-space: nowrap;
    }
    && li svg {
      inline-size: 11px;
      block-size: 11px;
    }
    section:has(details[open]) > & {
      display: flex;
      flex-wrap: wrap;
      gap: 0 8px;
      > ul {
        inline-size: 100%;
      }
    }
  }
  /* One line even on the narrowest phones. A press shows the username. */
  @media (max-width: 379px) {
    && li svg,
    section:not(:has(details[open])) > & p > span:first-child {
      display: none;
    }
  }
  @media (max-width: 359px) {
    && li {
      letter-spacing: 0;
      padding-inline: 4px;
    }
    p > span + span {
      grid-column: 1 / -1;
    }
  }
`;

const Fact = styled.span`
  display: inline-flex;
  gap: 14px;
  align-items: center;
  /* One that does not fit beside the username wraps out of sight. A press shows it. */
  ${({ theme }) => theme.media.phone} {
    && {
      gap: 0;
      flex-wrap: wrap;
      justify-content: flex-end;
      block-size: 1.5625rem;
    }
    section:has(details[open]) && {
      block-size: auto;
    }
    &::before {
      content: '';
      inline-size: 1px;
      block-size: 100%;
    }
    > span {
      white-space: nowrap;
    }
    > span:first-of-type {
      display: none;
    }
  }
`;

/* English in both languages. */
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
    font: 700 0.75rem/1 ${({ theme }) => theme.font.latin};
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

const Foot = styled.div`
  display: contents;
  ${({ theme }) => theme.media.phone} {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    flex: 1 1 100%;
    min-block-size: 22px;
    ${textSize('14px', '13px')}
    line-height: 1.375rem;
  }
`;

/** Elsewhere in a card of its own. */
const Bio = styled.details`
  display: none;
  ${({ theme }) => theme.media.phone} {
    display: block;
    margin-inline-start: auto;
    summary {
      display: inline-flex;
      gap: 4px;
      align-items: center;
      list-style: none;
      cursor: pointer;
      font-weight: 700;
      &::-webkit-details-marker {
        display: none;
      }
      /* The whole plate is the target. */
      &::after {
        content: '';
        position: absolute;
        inset: 0;
      }
    }
    svg {
      transition: rotate var(--base) var(--ease);
    }
    &[open] {
      flex: 1 1 100%;
      summary {
        display: flex;
        justify-content: flex-end;
      }
      svg {
        rotate: 180deg;
      }
    }
    p {
      ${textSize('15.5px', '14px')}
      line-height: 1.6;
      padding-block: 2px 6px;
      color: var(--on-night-2);
      white-space: pre-wrap;
      overflow-wrap: anywhere;
      text-align: start;
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
    color: var(--on-night-2);
    ${countsInLine}
    div + div {
      border: 0;
      padding: 0;
    }
    dd {
      color: var(--on-night);
    }
  }
`;
