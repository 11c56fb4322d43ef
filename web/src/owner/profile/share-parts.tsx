import { AtSign, Camera, MessageCircle, Users } from 'lucide-react';
import { css, styled } from 'styled-components';
import { Icon, IconButton } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import type { Share } from './use-share.js';

export const whatsappLink = (url: string): string => `https://wa.me/?text=${encodeURIComponent(url)}`;

export function ShareTargets({ url, onStory }: { url: Share['url']; onStory: () => void }) {
  const { t } = useTranslation();
  const link = encodeURIComponent(url);
  const site = (icon: typeof Users, name: string, href: string) => (
    <li>
      <a href={href} target="_blank" rel="noopener noreferrer">
        <Icon of={icon} flip={icon === MessageCircle} />
        {name}
      </a>
    </li>
  );
  return (
    <>
      {site(MessageCircle, t('profile.link.whatsapp'), whatsappLink(url))}
      <li>
        <button type="button" onClick={onStory}>
          <Icon of={Camera} />
          {t('profile.link.story')}
        </button>
      </li>
      {site(Users, t('profile.link.facebook'), `https://www.facebook.com/sharer/sharer.php?u=${link}`)}
      {site(AtSign, t('profile.link.x'), `https://x.com/intent/post?url=${link}`)}
    </>
  );
}

export const CopyBar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
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
    overflow-wrap: anywhere;
    line-height: 1.5;
    color: var(--ink-3);
  }
  b {
    color: var(--ink);
  }
`;

export const CopyButton = styled(IconButton)`
  flex: none;
  background: var(--violet);
  color: var(--on-violet);
  &:hover {
    background: var(--violet-hover);
    color: var(--on-violet);
  }
`;

export const shareTarget = css`
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
