import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Eye, Lock } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { small, textSize } from '../../theme/index.js';
import { Badge, Icon, Quote, StatusDot } from '../../components/index.js';
import type { Conversation } from './types.js';

interface Props {
  title: string;
  facts: ReactNode;
  badges: ReactNode;
}

/** The head of the detail pane: title, facts and badges. */
export function DetailHeader({ title, facts, badges }: Props) {
  return (
    <Head>
      <div>
        <h2>{title}</h2>
        <p>{facts}</p>
      </div>
      <Badges>{badges}</Badges>
    </Head>
  );
}

const Head = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  h2 {
    ${textSize('20px', '18px')}
  }
  p {
    color: var(--ink-3);
    ${small}
  }
`;

const Badges = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
`;

export function ReadBadge({ isRead }: { isRead: boolean }) {
  const { t } = useTranslation();
  if (isRead) return <Badge>{t('messages.badge.read')}</Badge>;
  return (
    <Badge $tone="rose">
      <StatusDot $size={7} $colour="var(--rose-strong)" $pulsing />
      {t('messages.badge.new')}
    </Badge>
  );
}

export function PublicBadge({ isPublic }: { isPublic: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge $tone={isPublic ? 'violet' : 'plain'}>
      <Icon of={isPublic ? Eye : Lock} />
      {t(isPublic ? 'messages.badge.published' : 'admin.private')}
    </Badge>
  );
}

/** Shows whether a language model or the automatic mode answered. */
export function BotBadge({ isUsingLocalSystem }: { isUsingLocalSystem: boolean }) {
  const { t } = useTranslation();
  return isUsingLocalSystem ? (
    <Badge $tone="gold">{t('admin.chatbot.local')}</Badge>
  ) : (
    <Badge $tone="violet">{t('admin.chatbot.openai')}</Badge>
  );
}

/** The asker's name, or what kind of user they are. */
export function useAskerName({ userName, isVisitor }: Conversation): string {
  const { t } = useTranslation();
  return userName ?? t(isVisitor ? 'admin.chatbot.visitor' : 'admin.chatbot.user');
}

/** The text of the message that a detail pane is about. */
export const MessageQuote = styled(Quote)`
  ${textSize('18.5px', '16.5px')}
  line-height: 1.8;
`;
