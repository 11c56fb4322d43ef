import { Check, Copy, Pencil, Share2 } from 'lucide-react';
import { styled } from 'styled-components';
import {
  Button,
  ButtonLink,
  Dialog,
  Handle,
  Icon,
  PremiumLabels,
  StatusDot,
  Tooltip,
  UserText,
} from '../../ui/index.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { useFormats, useTimes, useTranslation } from '../../i18n/index.js';
import { withoutBidiControls } from '../../lib/text.js';
import { textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';
import { useGetStatsQuery } from '../inbox/index.js';
import { CopyBar, CopyButton } from './share-parts.js';
import type { Share } from './use-share.js';

interface Props {
  user: User;
  share: Share;
  open: boolean;
  onClose: () => void;
  onShare: () => void;
}

/** All that is known of the account. */
export function AccountSheet({ user, share, open, onClose, onShare }: Props) {
  const { t } = useTranslation();
  const { number, date } = useFormats();
  const { host, copied, copyLink } = share;
  const times = useTimes();
  const isPremium = user.isAdmin && user.isVerified;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={withoutBidiControls(user.name)}
      description={user.isOnline ? t('profile.online') : times.lastSeen(user.lastOnline)}
    >
      {isPremium && (
        <Night>
          <PremiumLabels />
        </Night>
      )}
      <Part>
        <h3>{t('profile.link.title')}</h3>
        <CopyBar dir="ltr">
          <span data-testid="profile-link">
            {host}
            <b>{user.username}</b>
          </span>
          <Tooltip text={t('profile.link.copy')}>
            <CopyButton label={t('profile.link.copy')} size="sm" onClick={copyLink}>
              <Icon of={copied ? Check : Copy} />
            </CopyButton>
          </Tooltip>
        </CopyBar>
      </Part>
      <Part>
        <h3>{t('profile.info.title')}</h3>
        <Details user={user} />
        <p>
          {user.isAdmin && <span>{t('common.person.developer')}</span>}
          {t('common.person.joined', { date: date(user.createdAt) })}
          <span>
            {user.visitorCount === 0
              ? t('profile.noVisits')
              : `${number(user.visitorCount)} ${t('profile.visitors', { count: user.visitorCount })}`}
          </span>
        </p>
      </Part>
      <Part>
        <h3>{t('profile.stats.title')}</h3>
        <Stats />
      </Part>
      <Pair>
        <ButtonLink to="/settings">
          <Icon of={Pencil} />
          {t('profile.edit')}
        </ButtonLink>
        <Button variant="primary" onClick={onShare}>
          <Icon of={Share2} />
          {t('profile.share')}
        </Button>
      </Pair>
    </Dialog>
  );
}

function Details({ user }: { user: User }) {
  const { t } = useTranslation();
  const missing = <Missing>{t('profile.info.unavailable')}</Missing>;
  const details = {
    name: <UserText>{user.name}</UserText>,
    username: <Handle username={user.username} />,
    email: user.email === null || user.email === '' ? missing : <Email address={user.email} />,
    bio: user.bio === '' ? missing : <UserText>{user.bio}</UserText>,
  };
  return (
    <Rows>
      {(Object.keys(details) as (keyof typeof details)[]).map((name) => (
        <div key={name}>
          <dt>{t(`profile.info.${name}`)}</dt>
          <dd>{details[name]}</dd>
        </div>
      ))}
    </Rows>
  );
}

/** Allows a break before the @. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <bdi dir="ltr">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  );
}

const COUNTS = { received: undefined, read: 'var(--mint)', unread: 'var(--rose-strong)', sent: 'var(--gold)' } as const;

function Stats() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { data, error, isFetching, refetch } = useGetStatsQuery();
  if (error !== undefined && data === undefined)
    return <LoadFailure error={error} retrying={isFetching} size="sm" onRetry={() => void refetch()} />;
  return (
    <Counts>
      {(Object.keys(COUNTS) as (keyof typeof COUNTS)[]).map((name) => (
        <div key={name}>
          <dt>
            {name !== 'received' && <StatusDot $colour={COUNTS[name]} />}
            {t(name === 'received' ? 'profile.received' : `profile.stats.${name}`)}
          </dt>
          <dd data-testid={`stats-${name}`}>{data === undefined ? '\u2007' : number(data[name])}</dd>
        </div>
      ))}
    </Counts>
  );
}

const Part = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 4px;
  h3 {
    ${textSize('15px', '13.5px')}
    line-height: 1.5;
    font-weight: 700;
    letter-spacing: 0;
    color: var(--ink-2);
  }
  > p {
    display: flex;
    flex-wrap: wrap;
    column-gap: 12px;
    ${textSize('15px', '13.5px')}
    color: var(--ink-3);
  }
`;

/** The labels are gold, which light grounds swallow. */
const Night = styled.div`
  padding: 12px 14px;
  border-radius: 14px;
  background: var(--night);
`;

const Rows = styled.dl`
  display: grid;
  margin-block-start: 8px;
  div {
    display: grid;
    grid-template-columns: 104px 1fr;
    gap: 12px;
    padding-block: 9px;
    border-block-start: 1px solid var(--line);
  }
  div:first-child {
    border: 0;
  }
  dt {
    color: var(--ink-3);
    ${textSize('15.5px', '14.5px')}
  }
  dd {
    overflow-wrap: anywhere;
    ${textSize('18px', '14.5px')}
  }
`;

const Missing = styled.span`
  color: var(--ink-3);
`;

const Counts = styled.dl`
  display: grid;
  grid-template-columns: repeat(4, auto);
  justify-content: space-between;
  dt {
    display: flex;
    gap: 8px;
    align-items: center;
    color: var(--ink-2);
    ${textSize('15px', '13px')}
  }
  dd {
    font-weight: 800;
    font-size: 1.3125rem;
    line-height: 1.5;
    font-variant-numeric: tabular-nums;
  }
`;

const Pair = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  > * {
    flex: 1;
  }
`;
