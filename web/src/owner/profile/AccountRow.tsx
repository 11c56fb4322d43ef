import { Check, ChevronDown, Copy, Share2 } from 'lucide-react';
import { type Ref, useState } from 'react';
import { styled } from 'styled-components';
import {
  Avatar,
  DeveloperAvatar,
  Icon,
  IconButton,
  OptionalView,
  Spoken,
  UserText,
  VerifiedBadge,
} from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { lazyPart } from '../../lib/on-demand.js';
import { withoutBidiControls } from '../../lib/text.js';
import { DESK, semibold, textSize, tiny } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';
import { useGetStatsQuery } from '../inbox/index.js';
import type { Share } from './use-share.js';

const AccountSheet = lazyPart(async () => (await import('./AccountSheet.js')).AccountSheet);

interface Props {
  user: User;
  share: Share;
  onShare: () => void;
  /** Takes the search of a desk's inbox. */
  tools: Ref<HTMLDivElement>;
}

/** The dashboard's head. A press on the name opens all else that is known of the account. */
export function AccountRow({ user, share, onShare, tools }: Props) {
  const { t } = useTranslation();
  const { data: stats } = useGetStatsQuery();
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never');
  const isPremium = user.isAdmin && user.isVerified;
  const name = withoutBidiControls(user.name);
  const close = () => setSheet('closed');
  return (
    <Row aria-label={name} data-testid={isPremium ? 'premium-banner' : 'account-row'} $isGilt={isPremium}>
      {/* Screen readers read no heading that is part of a control. */}
      <h1>
        <Spoken>{name}</Spoken>
      </h1>
      <NameButton type="button" aria-haspopup="dialog" onClick={() => setSheet('open')}>
        {isPremium ? <DeveloperAvatar $size={40} /> : <Avatar person={user} size="row" />}
        <span>
          <b>
            <UserText>{user.name}</UserText> {user.isVerified && <VerifiedBadge />}
            <Icon of={ChevronDown} size="sm" />
          </b>
          <Facts>
            {stats !== undefined && stats.unread > 0 && <b>{t('messages.list.fresh', { count: stats.unread })}</b>}
            <bdi dir="ltr">
              {share.host}
              {user.username}
            </bdi>
          </Facts>
          <Spoken>{t('profile.open')}</Spoken>
        </span>
      </NameButton>
      <Tools ref={tools} />
      <CopyButton label={t('profile.link.copy')} onClick={share.copyLink}>
        <Icon of={share.copied ? Check : Copy} />
        <span>{t('profile.link.copy')}</span>
      </CopyButton>
      <ShareButton label={t('profile.share')} onClick={onShare}>
        <Icon of={Share2} />
        <span>{t('profile.share')}</span>
      </ShareButton>
      {sheet !== 'never' && (
        <OptionalView onClose={close}>
          <AccountSheet
            user={user}
            share={share}
            open={sheet === 'open'}
            onClose={close}
            onShare={() => {
              close();
              onShare();
            }}
          />
        </OptionalView>
      )}
    </Row>
  );
}

const Row = styled.section<{ $isGilt: boolean }>`
  display: flex;
  gap: 4px;
  align-items: center;
  min-block-size: 56px;
  > h1 {
    position: absolute;
  }
  ${({ $isGilt }) =>
    $isGilt &&
    `
  padding-inline: 10px;
  border-radius: 16px;
  background: var(--night);
  color: var(--on-night);
  border: 1px solid color-mix(in srgb, var(--gold) 60%, transparent);
  > button {
    color: inherit;
    --ink-3: var(--on-night-2);
    --rose-text: var(--gold);
    --tick: #16132a;
  }`}
  @media ${DESK} {
    gap: 14px;
    min-block-size: 64px;
    margin-block-end: 4px;
  }
`;

const NameButton = styled.button`
  flex: 1;
  min-inline-size: 0;
  display: flex;
  gap: 12px;
  align-items: center;
  min-block-size: 56px;
  border-radius: 16px;
  text-align: start;
  > span:last-child {
    flex: 1;
    min-inline-size: 0;
  }
  > span > b {
    display: flex;
    gap: 6px;
    align-items: center;
    ${textSize('17px', '16px')}
    line-height: 1.5rem;
    font-weight: 800;
    letter-spacing: 0;
    :lang(en) & {
      font-weight: 700;
    }
    @media ${DESK} {
      ${textSize('22px', '20px')}
      line-height: 1.875rem;
    }
  }
  bdi {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  b > svg {
    flex: none;
  }
  b > svg:last-child {
    color: var(--ink-3);
  }
`;

const Facts = styled.span`
  display: flex;
  gap: 12px;
  ${tiny}
  line-height: 1.3125rem;
  b {
    ${semibold}
    flex: none;
    color: var(--rose-text);
  }
  bdi {
    color: var(--ink-3);
    @media not all and ${DESK} {
      display: none;
    }
  }
`;

const Tools = styled.div`
  display: none;
  @media ${DESK} {
    display: block;
    flex: 0 1 320px;
    &:empty {
      display: none;
    }
  }
`;

const CopyButton = styled(IconButton)`
  span {
    display: none;
  }
  @media ${DESK} {
    display: inline-flex;
    gap: 10px;
    align-items: center;
    inline-size: auto;
    padding-inline: 20px;
    border: 1px solid var(--line-strong);
    font-weight: 700;
    span {
      display: inline;
    }
  }
`;

const ShareButton = styled(CopyButton)`
  border-color: transparent;
  background: var(--violet);
  && {
    color: var(--on-violet);
  }
  &:hover {
    background: var(--violet-hover);
  }
`;
