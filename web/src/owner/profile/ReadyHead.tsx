import { GROUND_COLOURS } from '@najwa/proto/http/client';
import { Check, Copy, MessageCircle, Smartphone } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { AnchorButton, Button, Icon, UserText } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { headline, textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';
import { CodesRow } from './CodesRow.js';
import { whatsappLink } from './share-parts.js';
import type { Share } from './use-share.js';

interface Props {
  user: User;
  share: Share;
}

/** An account's first page: its link, ways to share it, and what it should keep. */
export function ReadyHead({ user, share }: Props) {
  const { t } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
  }, []);
  const address = (
    <bdi dir="ltr">
      {share.host}
      <b>{user.username}</b>
    </bdi>
  );
  return (
    <Ready aria-labelledby="ready-title">
      <header>
        <h1 id="ready-title" ref={title} tabIndex={-1}>
          {t('profile.ready.title')}
        </h1>
        <p>{t('profile.ready.text')}</p>
      </header>
      <Picture aria-label={t('profile.sharing.preview.getProfilePicture')} $isLong={user.name.length > 14}>
        <svg viewBox="0 0 432 64" aria-hidden="true">
          <path d={WARP} />
        </svg>
        <figcaption>
          <span>{t('profile.ready.write')}</span>
          <strong>
            <UserText>{user.name}</UserText>
          </strong>
          <Plate>{address}</Plate>
        </figcaption>
      </Picture>
      <Address data-testid="profile-link">{address}</Address>
      <Targets>
        <AnchorButton variant="primary" href={whatsappLink(share.url)} target="_blank" rel="noopener noreferrer">
          <Icon of={MessageCircle} flip />
          {t('profile.link.whatsapp')}
        </AnchorButton>
        <Button onClick={share.copyForStory}>
          <Icon of={Smartphone} />
          {t('profile.link.story')}
        </Button>
        <Button onClick={share.copyLink}>
          <Icon of={share.copied ? Check : Copy} />
          {t(share.copied ? 'profile.ready.copied' : 'profile.ready.copy')}
        </Button>
      </Targets>
      <CodesRow user={user} isNew />
    </Ready>
  );
}

/** Threads without a knot. */
const WARP = Array.from({ length: 24 }, (_, index) => `M${String(9 + 18 * index)} 1V63`).join('');

const Ready = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  align-content: start;
  h1 {
    ${headline('40px', '36px', 1.4, 1.25)}
    outline: none;
  }
  header p {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    gap: 12px;
    h1 {
      ${textSize('31px', '28px')}
      line-height: 1.3;
    }
    header p {
      ${textSize('16px', '14.5px')}
    }
  }
`;

/* Text, in units of its own width: nothing of it has to be fetched or drawn. */
const Picture = styled.figure<{ $isLong: boolean }>`
  container-type: inline-size;
  position: relative;
  aspect-ratio: 1200 / 630;
  display: grid;
  align-content: end;
  overflow: hidden;
  border-radius: 36px;
  border-end-start-radius: 9px;
  background: ${GROUND_COLOURS.cream.ground};
  color: #16132a;
  ${({ theme }) => theme.media.stacked} {
    border-radius: 24px;
    border-end-start-radius: 7px;
  }
  svg {
    position: absolute;
    inset: 2.4cqw 5cqw auto;
    inline-size: 90cqw;
    stroke: #6c47ff;
    stroke-opacity: 0.22;
    stroke-width: 1.8;
    stroke-linecap: round;
  }
  figcaption {
    position: relative;
    display: grid;
    justify-items: start;
    padding: 0 6cqw 4.6cqw;
  }
  figcaption > span {
    font-size: 4.2cqw;
    line-height: 1.3;
    font-weight: 500;
    color: ${GROUND_COLOURS.cream.soft};
  }
  strong {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    overflow-wrap: anywhere;
    max-inline-size: 100%;
    /* Dots below the last line. */
    padding-block-end: 0.14em;
    font-size: ${({ $isLong }) => ($isLong ? 6 : 10.4)}cqw;
    line-height: 1.3;
    font-weight: 900;
    :lang(en) & {
      font-weight: 800;
      letter-spacing: -0.028em;
    }
  }
`;

const Plate = styled.small`
  margin-block-start: 1.4cqw;
  max-inline-size: 100%;
  padding: 1.2cqw 2.8cqw;
  border-radius: 2.6cqw;
  border-end-start-radius: 0.8cqw;
  overflow-wrap: anywhere;
  font: 500 4.2cqw/1.3 ${({ theme }) => theme.font.latin};
  background: #16132a;
  color: #faf8f5;
`;

const Address = styled.p`
  text-align: center;
  overflow-wrap: anywhere;
  font-family: ${({ theme }) => theme.font.latin};
  font-size: 1.625rem;
  line-height: 1.5;
  color: var(--ink-2);
  b {
    color: var(--ink);
  }
  ${({ theme }) => theme.media.stacked} {
    font-size: 1.25rem;
  }
`;

const Targets = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  > * {
    flex: 2 1 auto;
    min-block-size: 52px;
    padding-inline: 8px;
  }
  > :first-child {
    flex-grow: 3;
  }
`;
