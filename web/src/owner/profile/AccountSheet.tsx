import { styled } from 'styled-components';
import { Dialog, PremiumLabels } from '../../ui/index.js';
import { useFormats, useTimes, useTranslation } from '../../i18n/index.js';
import { withoutBidiControls } from '../../lib/text.js';
import { textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';
import { Details } from './InfoCard.js';
import { ProfileActions } from './ProfileHeader.js';
import { LinkBar } from './ShareCard.js';
import { Stats } from './StatsCard.js';
import type { Share } from './use-share.js';

interface Props {
  user: User;
  share: Share;
  open: boolean;
  onClose: () => void;
  onShare: () => void;
}

/** The dashboard's cards, in their order, where there is no place for them beside the messages. */
export function AccountSheet({ user, share, open, onClose, onShare }: Props) {
  const { t } = useTranslation();
  const { number, date } = useFormats();
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
        <LinkBar share={share} username={user.username} />
      </Part>
      <Part>
        <h3>{t('profile.info.title')}</h3>
        <Details user={user} />
        <p>
          {t('common.person.joined', { date: date(user.createdAt) })}
          {user.visitorCount > 0 && (
            <span>
              {number(user.visitorCount)} {t('profile.visitors', { count: user.visitorCount })}
            </span>
          )}
        </p>
      </Part>
      <Part>
        <h3>{t('profile.stats.title')}</h3>
        <Stats />
      </Part>
      <Pair>
        <ProfileActions onShare={onShare} />
      </Pair>
    </Dialog>
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

const Pair = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  > * {
    flex: 1;
  }
`;
