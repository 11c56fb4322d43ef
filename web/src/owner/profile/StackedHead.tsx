import { Pencil, Share2 } from 'lucide-react';
import { css, styled } from 'styled-components';
import {
  Avatar,
  Button,
  ButtonLink,
  DeveloperAvatar,
  Fold,
  Handle,
  Icon,
  PremiumLabels,
  Spoken,
  UserText,
  VerifiedBadge,
} from '../../ui/index.js';
import { useFormats, useTimes, useTranslation } from '../../i18n/index.js';
import { withoutBidiControls } from '../../lib/text.js';
import { dottedLine, SEPARATED, small, textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';
import { useGetStatsQuery } from '../inbox/index.js';
import { InfoFold } from './InfoCard.js';
import { LinkStrip } from './ShareCard.js';
import { StatsFold } from './StatsCard.js';
import type { Share } from './use-share.js';

interface Props {
  user: User;
  share: Share;
  onShare: () => void;
}

/** Two strips and two folds, so that messages begin right below. */
export function StackedHead({ user, share, onShare }: Props) {
  return (
    <Sections data-testid="stacked-head">
      <Identity user={user} onShare={onShare} />
      <LinkStrip share={share} username={user.username} onShare={onShare} />
      <Pair>
        <InfoFold user={user} />
        <StatsFold />
      </Pair>
    </Sections>
  );
}

function Identity({ user, onShare }: Omit<Props, 'share'>) {
  const { t } = useTranslation();
  const { date, number } = useFormats();
  const times = useTimes();
  const { data: stats } = useGetStatsQuery();
  const isPremium = user.isAdmin && user.isVerified;
  /** A zero looks like the dot before it in Arabic. */
  const count = (name: 'received' | 'sent') =>
    stats?.[name] !== 0 && (
      <span>
        <b>{stats === undefined ? '\u2007' : number(stats[name])}</b> {t(`profile.${name}`)}
      </span>
    );

  return (
    <section aria-label={user.name} data-testid={isPremium ? 'premium-banner' : undefined}>
      {/* That in the row is a part of a control, as which screen readers read no heading. */}
      <h1>
        <Spoken>{withoutBidiControls(user.name)}</Spoken>
      </h1>
      <Strip
        $gilt={isPremium}
        summary={
          <>
            {isPremium ? <DeveloperAvatar $size={44} /> : <Avatar person={user} size="row" />}
            <Lines>
              <b>
                <UserText>{user.name}</UserText> {user.isVerified && <VerifiedBadge />}
              </b>
              <Line>
                {user.isAdmin && <Gold $gilt={isPremium}>{t('common.person.developer')}</Gold>}
                {!isPremium &&
                  (user.isOnline ? (
                    <Online>{t('profile.online')}</Online>
                  ) : (
                    <span>{times.lastSeen(user.lastOnline)}</span>
                  ))}
                {count('received')}
                {count('sent')}
              </Line>
            </Lines>
          </>
        }
      >
        <Rest>
          {isPremium && <PremiumLabels />}
          <p>
            <Handle username={user.username} /> · {t('common.person.joined', { date: date(user.createdAt) })}
            {isPremium && user.visitorCount > 0 && (
              <>
                {' '}
                · {number(user.visitorCount)} {t('profile.visitors', { count: user.visitorCount })}
              </>
            )}
          </p>
          <Buttons>
            <ButtonLink to="/settings">
              <Icon of={Pencil} />
              {t('profile.edit')}
            </ButtonLink>
            <Button onClick={onShare}>
              <Icon of={Share2} />
              {t('profile.share')}
            </Button>
          </Buttons>
        </Rest>
      </Strip>
    </section>
  );
}

const Sections = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 6px;
  padding-block-start: 4px;
`;

const Pair = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  > * {
    flex: 1 1 auto;
  }
  > [open] {
    flex-basis: 100%;
  }
`;

const gilt = css`
  background: var(--night);
  color: var(--on-night);
  border-color: color-mix(in srgb, var(--gold) 60%, transparent);
  div > p,
  summary > span,
  summary > span > span {
    color: var(--on-night-2);
  }
  summary > span > b {
    color: var(--on-night);
  }
  summary svg {
    --tick: #16132a;
    color: var(--gold);
  }
  a,
  button {
    border: 0;
    background: none;
    color: var(--on-night);
    box-shadow: inset 0 0 0 1.5px rgb(255 255 255 / 0.3);
  }
`;

const Strip = styled(Fold)<{ $gilt: boolean }>`
  > summary {
    gap: 12px;
    min-block-size: 60px;
    padding: 7px 12px;
    font-weight: 400;
  }
  ${({ $gilt }) => $gilt && gilt}
`;

const Lines = styled.span`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  flex: 1;
  min-inline-size: 0;
  > b {
    display: flex;
    gap: 6px;
    align-items: center;
    ${textSize('19px', '17px')}
    line-height: 1.5625rem;
    font-weight: 800;
    letter-spacing: 0;
    bdi {
      min-inline-size: 0;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
      /* Opens to the full text. */
      [open] > summary & {
        white-space: normal;
        overflow-wrap: anywhere;
      }
    }
    svg {
      inline-size: 18px;
      block-size: 18px;
    }
  }
`;

/** One line until opened. Counts take priority over presence, which the narrowest phones drop. */
const Line = styled.span`
  ${dottedLine}
  @media (min-width: 360px) {
    details:not([open]) > summary & {
      flex-wrap: nowrap;
      white-space: nowrap;
      > :first-child {
        min-inline-size: 0;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      > :not(:first-child) {
        flex: none;
      }
    }
  }
  ${textSize('14.5px', '13px')}
  line-height: 1.25rem;
  color: var(--ink-2);
  > span::before {
    content: '·';
    display: inline-block;
    inline-size: ${SEPARATED}px;
    text-align: center;
    font-weight: 400;
    color: var(--ink-3);
  }
`;

const Online = styled.span`
  color: var(--mint-text);
  font-weight: 700;
`;

const Gold = styled.span<{ $gilt: boolean }>`
  ${({ $gilt }) => $gilt && 'color: var(--gold);'}
`;

const Rest = styled.div`
  display: grid;
  gap: 10px;
  padding: 10px 12px 12px;
  border-block-start: 1px solid color-mix(in srgb, currentColor 14%, transparent);
  > p {
    color: var(--ink-3);
    ${small}
  }
`;

const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  > * {
    flex: 1;
  }
`;
