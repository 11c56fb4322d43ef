import { Calendar, CodeXml, Pencil, Share2 } from 'lucide-react';
import { styled } from 'styled-components';
import {
  Avatar,
  Badge,
  Button,
  ButtonLink,
  Card,
  Counts,
  Handle,
  Icon,
  PatternBanner,
  PremiumBanner,
  StatusDot,
  UserText,
  VerifiedBadge,
} from '../../ui/index.js';
import { useFormats, useTimes, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';
import { useGetStatsQuery } from '../inbox/index.js';

interface Props {
  user: User;
  onShare: () => void;
}

export function ProfileActions({ onShare }: Pick<Props, 'onShare'>) {
  const { t } = useTranslation();
  return (
    <>
      <ButtonLink to="/settings">
        <Icon of={Pencil} />
        {t('profile.edit')}
      </ButtonLink>
      <Button variant="primary" onClick={onShare}>
        <Icon of={Share2} />
        {t('profile.share')}
      </Button>
    </>
  );
}

export function ProfileHeader({ user, onShare }: Props) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const { data: stats } = useGetStatsQuery();
  const joined = t('common.person.joined', { date: date(user.createdAt) });
  const counts = [
    { label: t('profile.received'), value: stats?.received },
    { label: t('profile.sent'), value: stats?.sent },
  ];

  const actions = <ProfileActions onShare={onShare} />;

  if (user.isAdmin && user.isVerified) {
    return (
      <PremiumBanner
        name={user.name}
        username={user.username}
        counts={[{ label: t('profile.visitors', { count: user.visitorCount }), value: user.visitorCount }, ...counts]}
        facts={[<Developer key="developer" />, joined]}
      >
        {actions}
      </PremiumBanner>
    );
  }

  return (
    <Head aria-label={user.name}>
      <Banner $tint={user.id % 6} />
      <Row>
        <Portrait person={user} size="xl" online={user.isOnline} />
        <Details>
          <h1>
            <UserText>{user.name}</UserText> {user.isVerified && <VerifiedBadge />}
          </h1>
          <Facts>
            <Handle username={user.username} />
            {user.isAdmin && <Badge $tone="line">{t('common.person.developer')}</Badge>}
            <Presence user={user} />
            <Joined>
              <Icon of={Calendar} size="sm" />
              {joined}
            </Joined>
          </Facts>
        </Details>
        <HeadCounts items={counts} />
        <Actions>{actions}</Actions>
      </Row>
    </Head>
  );
}

function Developer() {
  const { t } = useTranslation();
  return (
    <Gold>
      <Icon of={CodeXml} size="sm" />
      {t('common.person.developer')}
    </Gold>
  );
}

function Presence({ user }: { user: User }) {
  const { t } = useTranslation();
  const times = useTimes();
  if (!user.isOnline) return <span>{times.lastSeen(user.lastOnline)}</span>;
  return (
    <Badge $tone="mint">
      <StatusDot $size={7} />
      {t('profile.online')}
    </Badge>
  );
}

const Gold = styled.span`
  color: var(--gold);
  display: inline-flex;
  gap: 8px;
  align-items: center;
`;

const Head = styled(Card)`
  padding: 0 28px 28px;
  margin-block-start: 16px;
  overflow: hidden;
`;

const Banner = styled(PatternBanner)`
  margin-inline: -28px;
  block-size: 104px;
`;

const Portrait = styled(Avatar)`
  align-self: flex-start;
  box-shadow: 0 0 0 5px var(--surface);
`;

const Row = styled.div`
  display: flex;
  gap: 24px;
  align-items: flex-end;
  margin-block-start: -36px;
  position: relative;
`;

const Details = styled.div`
  flex: 1;
  min-inline-size: 0;
  padding-block-start: 44px;
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
`;

const Facts = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 8px 14px;
  color: var(--ink-3);
`;

const Joined = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 6px;
`;

const HeadCounts = styled(Counts)`
  padding-block-start: 40px;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  padding-block-start: 40px;
`;
