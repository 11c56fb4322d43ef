import { styled } from 'styled-components';
import {
  Avatar,
  Badge,
  Card,
  Counts,
  countsInLine,
  UserText,
  Handle,
  StatusDot,
  PremiumBanner,
  VerifiedBadge,
} from '../../ui/index.js';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { lineUntilOpen, textSize } from '../../theme/index.js';
import { Carpet } from './Carpet.js';
import type { PublicProfile } from './types.js';

interface Props {
  profile: PublicProfile;
  published: number | undefined;
}

/** Fewer make a page look deserted. */
const FEWEST_VISITS = 10;

function useCounts({ profile: { visitorCount }, published }: Props) {
  const { t } = useTranslation();
  return [
    {
      label: t('publicPage.visits', { count: visitorCount }),
      value: visitorCount < FEWEST_VISITS ? 0 : visitorCount,
      testId: 'visits',
    },
    {
      label: t('publicPage.published', { count: published ?? 0 }),
      short: t('publicPage.publishedShort'),
      value: published,
      testId: 'published',
    },
  ];
}

export function PremiumProfile({ profile, published }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const counts = useCounts({ profile, published });
  const presence = profile.isOnline ? (
    <Online key="online">{t('common.presence.online')}</Online>
  ) : (
    profile.lastOnline !== null && (
      <span key="seen" suppressHydrationWarning>
        {times.lastSeen(profile.lastOnline)}
      </span>
    )
  );
  const facts = presence === false ? [] : [presence];
  const { name, username, bio } = profile;
  return <PremiumBanner {...{ name, username, counts, facts, bio }} />;
}

/** Says nothing without a known time: it may be hidden, so "never" could be untrue. */
export function ProfileCard({ profile, published }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const counts = useCounts({ profile, published });
  const { name, username, isAdmin, isVerified, isOnline, lastOnline } = profile;
  return (
    <Profile aria-label={name}>
      <Banner>
        <Carpet $of={username} />
      </Banner>
      <Portrait person={profile} size="xl" online={isOnline} />
      <Identity>
        <h1>
          <span>
            <UserText>{name}</UserText>
          </span>{' '}
          {isVerified && <VerifiedBadge />}
        </h1>
        <Handle username={username} />
      </Identity>
      <Now>
        <Facts>
          {isAdmin && !isVerified && <Badge $tone="line">{t('common.person.developer')}</Badge>}
          {isOnline ? (
            <Badge $tone="mint">
              <StatusDot $size={7} />
              {t('common.presence.online')}
            </Badge>
          ) : (
            lastOnline !== null && <span suppressHydrationWarning>{times.lastSeen(lastOnline)}</span>
          )}
        </Facts>
        <CardCounts items={counts} />
      </Now>
    </Profile>
  );
}

const Online = styled.span`
  color: var(--premium-online);
`;

const Profile = styled(Card)`
  padding: 0 24px 24px;
  overflow: hidden;
  ${({ theme }) => theme.media.stacked} {
    display: grid;
    grid-template-columns: 44px minmax(0, 1fr);
    column-gap: 12px;
    padding: 0;
    background: none;
    border: 0;
    border-radius: 0;
    box-shadow: none;
    overflow: visible;
    position: static;
  }
`;

const Banner = styled.div`
  block-size: 112px;
  background: var(--violet-tint);
  margin-inline: -24px;
  ${({ theme }) => theme.media.stacked} {
    display: none;
  }
`;

const Portrait = styled(Avatar)`
  margin-block: -40px 12px;
  box-shadow: 0 0 0 5px var(--surface);
  ${({ theme }) => theme.media.stacked} {
    --size: 44px;
    grid-row: span 2;
    margin-block: 2px 0;
    box-shadow: none;
    > [data-part='online'] {
      display: none;
    }
  }
`;

const Identity = styled.div`
  color: var(--ink-3);
  h1 {
    ${textSize('27px', '24px')}
    line-height: 1.4;
    font-weight: 800;
    color: var(--ink);
    display: flex;
    gap: 8px;
    align-items: center;
    overflow-wrap: anywhere;
    :lang(en) & {
      line-height: 1.3;
      letter-spacing: -0.02em;
    }
  }
  ${({ theme }) => theme.media.stacked} {
    display: flex;
    gap: 8px;
    align-items: baseline;
    min-inline-size: 0;
    aside:not(:has(details:not([open]))) & {
      flex-wrap: wrap;
    }
    h1 {
      ${textSize('19px', '17.5px')}
      line-height: 1.6875rem;
      gap: 6px;
      min-inline-size: 0;
      :lang(en) & {
        line-height: 1.6875rem;
      }
      > span {
        ${lineUntilOpen('aside')}
      }
    }
    svg {
      inline-size: 18px;
      block-size: 18px;
      flex: none;
    }
    > bdi {
      ${textSize('15px', '14px')}
      line-height: 1.6875rem;
      min-inline-size: 4em;
      ${lineUntilOpen('aside')}
    }
  }
`;

const Now = styled.div`
  ${({ theme }) => theme.media.stacked} {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 12px;
    min-inline-size: 0;
    color: var(--ink-2);
    ${textSize('14.5px', '13px')}
    line-height: 1.3125rem;
  }
`;

const Facts = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 6px 12px;
  color: var(--ink-3);
  &:not(:empty) {
    margin-block-start: 12px;
  }
  ${({ theme }) => theme.media.stacked} {
    && {
      margin: 0;
      color: var(--ink-2);
    }
    > span {
      background: none;
      padding: 0;
      border: 0;
      min-block-size: 0;
      font-size: inherit;
      line-height: inherit;
    }
  }
`;

const CardCounts = styled(Counts)`
  margin-block-start: 20px;
  padding-block-start: 18px;
  border-block-start: 1px solid var(--line);
  ${({ theme }) => theme.media.stacked} {
    margin: 0;
    padding: 0;
    border: 0;
    ${countsInLine}
    && :is(dt, dd) {
      color: var(--ink-2);
    }
  }
`;
