import { Check, Copy, Share2 } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Card, CardTitle, Icon, IconButton, Note, stripSurface } from '../../ui/index.js';
import { isolatedLtr } from '../../theme/index.js';
import { CopyBar, CopyButton, shareTarget, ShareTargets } from './share-parts.js';
import type { Share } from './use-share.js';

export function ShareCard({ share, username }: { share: Share; username: string }) {
  const { t } = useTranslation();
  const { host, url, copied, copyLink, copyForStory } = share;
  return (
    <Card aria-labelledby="share-title">
      <CardTitle id="share-title">{t('profile.link.title')}</CardTitle>
      <Note>{t('profile.link.text')}</Note>
      <CopyBar dir="ltr">
        <span data-testid="profile-link">
          {host}
          <b>{username}</b>
        </span>
        <CopyButton label={t('profile.link.copy')} size="sm" tip onClick={copyLink}>
          <Icon of={copied ? Check : Copy} />
        </CopyButton>
      </CopyBar>
      <Targets>
        <ShareTargets url={url} onStory={copyForStory} />
      </Targets>
    </Card>
  );
}

interface StripProps {
  share: Share;
  username: string;
  onShare: () => void;
}

export function LinkStrip({ share, username, onShare }: StripProps) {
  const { t } = useTranslation();
  const { host, copied, copyLink } = share;
  return (
    <Strip aria-label={t('profile.link.title')}>
      <span data-testid="profile-link">
        {host}
        <b>{username}</b>
      </span>
      <IconButton label={t('profile.link.copy')} onClick={copyLink}>
        <Icon of={copied ? Check : Copy} />
      </IconButton>
      <ShareButton label={t('profile.sharing.title')} onClick={onShare}>
        <Icon of={Share2} />
      </ShareButton>
    </Strip>
  );
}

const Strip = styled.section`
  ${stripSurface}
  display: flex;
  align-items: center;
  gap: 2px;
  min-block-size: 50px;
  padding: 2px;
  padding-inline-start: 14px;
  > span {
    ${isolatedLtr}
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: end;
    font-family: ${({ theme }) => theme.font.latin};
    font-size: 0.9375rem;
    color: var(--ink-2);
    :lang(en) & {
      text-align: start;
    }
  }
  b {
    color: var(--ink);
  }
`;

const ShareButton = styled(IconButton)`
  background: var(--violet);
  color: var(--on-violet);
  &:hover {
    background: var(--violet-hover);
    color: var(--on-violet);
  }
`;

const Targets = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 7.5rem), 1fr));
  gap: 8px;
  a,
  button {
    ${shareTarget}
  }
`;
