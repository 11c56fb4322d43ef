import { Check, Copy } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Card, CardTitle, Icon, Note } from '../../ui/index.js';
import { CopyBar, CopyButton, shareTarget, ShareTargets } from './share-parts.js';
import type { Share } from './use-share.js';

export function ShareCard({ share, username }: { share: Share; username: string }) {
  const { t } = useTranslation();
  const { url, copyForStory } = share;
  return (
    <Card aria-labelledby="share-title">
      <CardTitle id="share-title">{t('profile.link.title')}</CardTitle>
      <Note>{t('profile.link.text')}</Note>
      <LinkBar share={share} username={username} />
      <Targets>
        <ShareTargets url={url} onStory={copyForStory} />
      </Targets>
    </Card>
  );
}

/** The link with a button that copies it. */
export function LinkBar({ share: { host, copied, copyLink }, username }: { share: Share; username: string }) {
  const { t } = useTranslation();
  return (
    <CopyBar dir="ltr">
      <span data-testid="profile-link">
        {host}
        <b>{username}</b>
      </span>
      <CopyButton label={t('profile.link.copy')} size="sm" tip onClick={copyLink}>
        <Icon of={copied ? Check : Copy} />
      </CopyButton>
    </CopyBar>
  );
}

const Targets = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 7.5rem), 1fr));
  gap: 8px;
  a,
  button {
    ${shareTarget}
  }
`;
