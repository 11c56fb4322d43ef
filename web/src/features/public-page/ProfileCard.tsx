import { styled } from 'styled-components';
import {
  Avatar,
  Badge,
  Card,
  Counts,
  UserText,
  Handle,
  StatusDot,
  PatternBanner,
  PremiumBanner,
  VerifiedBadge,
} from '../../components/index.js';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import type { PublicProfile } from './api.js';

interface Props {
  profile: PublicProfile;
  published: number | undefined;
}

function useCounts({ profile, published }: Props) {
  const { t } = useTranslation();
  return [
    { label: t('publicPage.visits', { count: profile.visitorCount }), value: profile.visitorCount, testId: 'visits' },
    { label: t('publicPage.published', { count: published ?? 0 }), value: published, testId: 'published' },
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
  return <PremiumBanner name={profile.name} username={profile.username} counts={counts} facts={facts} />;
}

/** Says nothing where no time is known: it may be hidden, so "never" could be untrue. */
export function ProfileCard({ profile, published }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const counts = useCounts({ profile, published });
  const { id, name, username, isAdmin, isVerified, isOnline, lastOnline } = profile;
  return (
    <Profile aria-label={name}>
      <Banner $tint={id % 6} />
      <Portrait person={profile} size="xl" online={isOnline} />
      <Details>
        <h1>
          <UserText>{name}</UserText> {isVerified && <VerifiedBadge />}
        </h1>
        <Facts>
          <Handle username={username} />
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
      </Details>
      <CardCounts items={counts} />
    </Profile>
  );
}

const Online = styled.span`
  color: var(--premium-online);
`;

const Profile = styled(Card)`
  padding: 0 24px 24px;
  overflow: hidden;
  ${({ theme }) => theme.media.phone} {
    padding: 0 18px 14px;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    column-gap: 14px;
  }
`;

const Banner = styled(PatternBanner)`
  block-size: 112px;
  margin-inline: -24px;
  ${({ theme }) => theme.media.phone} {
    margin-inline: -18px;
    grid-column: 1 / -1;
    block-size: 60px;
  }
`;

const Portrait = styled(Avatar)`
  margin-block: -56px 12px;
  box-shadow: 0 0 0 5px var(--surface);
  ${({ theme }) => theme.media.phone} {
    --size: 84px;
    margin-block: -30px 0;
  }
`;

const Details = styled.div`
  h1 {
    ${textSize('27px', '24px')}
    line-height: 1.4;
    font-weight: 800;
    display: flex;
    gap: 8px;
    align-items: center;
    overflow-wrap: anywhere;
    :lang(en) & {
      line-height: 1.3;
      letter-spacing: -0.02em;
    }
  }
  ${({ theme }) => theme.media.phone} {
    padding-block-start: 8px;
    h1 {
      ${textSize('22px', '22px')}
    }
  }
`;

const Facts = styled.div`
  color: var(--ink-3);
  && > * {
    white-space: normal;
  }
  > span:last-child {
    display: flex;
    inline-size: fit-content;
    margin-block-start: 12px;
  }
  ${({ theme }) => theme.media.phone} {
    display: flex;
    gap: 6px 12px;
    align-items: center;
    flex-wrap: wrap;
    > span:last-child {
      margin: 0;
    }
  }
`;

const CardCounts = styled(Counts)`
  margin-block-start: 20px;
  padding-block-start: 18px;
  border-block-start: 1px solid var(--line);
  ${({ theme }) => theme.media.phone} {
    grid-column: 1 / -1;
    margin-block-start: 14px;
    padding-block-start: 12px;
    gap: 24px;
    div {
      flex-direction: row-reverse;
      align-items: baseline;
      gap: 7px;
    }
    dd {
      ${textSize('20px', '20px')}
    }
  }
`;
