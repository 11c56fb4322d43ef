import { AtSign, Camera, Check, Copy, MessageCircle, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { css, styled } from 'styled-components';
import { Card, CardTitle, Icon, IconButton } from '../../components/index.js';
import { small, textSize } from '../../theme/index.js';
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

const CopyBar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  background: var(--sunken);
  border-radius: 15px;
  border-end-start-radius: 5px;
  padding-block: 6px;
  padding-inline: 16px 6px;
  margin-block: 14px;
  font-family: ${({ theme }) => theme.font.latin};
  font-size: 0.9375rem;
  > span {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--ink-3);
  }
  b {
    color: var(--ink);
  }
`;

const CopyButton = styled(IconButton)`
  background: var(--violet);
  color: var(--on-violet);
  &:hover {
    background: var(--violet-hover);
    color: var(--on-violet);
  }
`;

const target = css`
  display: flex;
  gap: 10px;
  align-items: center;
  inline-size: 100%;
  min-block-size: 44px;
  padding-inline: 14px;
  border: 1px solid var(--line-strong);
  border-radius: 13px;
  border-end-start-radius: 4px;
  font-weight: 500;
  ${textSize('15.5px', '14px')}
  svg {
    color: var(--ink-3);
  }
  &:hover {
    background: var(--sunken);
  }
`;

const Targets = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 7.5rem), 1fr));
  gap: 8px;
  a,
  button {
    ${target}
  }
`;
