import { AtSign, Camera, Check, Copy, MessageCircle, Users } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Card, CardTitle, Icon } from '../../components/index.js';
import { small } from '../../theme/index.js';
import { CopyBar, CopyButton, shareTarget } from './share-parts.js';
import type { Share } from './use-share.js';

export function ShareCard({ share, username }: { share: Share; username: string }) {
  const { t } = useTranslation();
  const { host, url, copied, copyLink, copyForStory } = share;
  const link = encodeURIComponent(url);
  const targets = [
    { icon: Users, name: t('profile.link.facebook'), href: `https://www.facebook.com/sharer/sharer.php?u=${link}` },
    { icon: AtSign, name: t('profile.link.x'), href: `https://x.com/intent/post?url=${link}` },
    { icon: MessageCircle, name: t('profile.link.whatsapp'), href: `https://wa.me/?text=${link}` },
  ];
  return (
    <Card aria-labelledby="share-title">
      <CardTitle id="share-title">{t('profile.link.title')}</CardTitle>
      <Text>{t('profile.link.text')}</Text>
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
        {targets.map(({ icon, name, href }) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noopener noreferrer">
              <Icon of={icon} flip={icon === MessageCircle} />
              {name}
            </a>
          </li>
        ))}
        <li>
          <button type="button" onClick={copyForStory}>
            <Icon of={Camera} />
            {t('profile.link.instagram')}
          </button>
        </li>
      </Targets>
    </Card>
  );
}

const Text = styled.p`
  color: var(--ink-2);
  ${small}
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
