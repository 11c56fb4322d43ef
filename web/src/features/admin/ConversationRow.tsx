import { Image } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Foreign, Icon } from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { BotBadge, useAskerName } from './conversation-parts.js';
import { Fact, PaneRow } from './PaneRow.js';
import type { Conversation } from './types.js';

interface Props {
  conversation: Conversation;
  current: boolean;
  onSelect: () => void;
}

export function ConversationRow({ conversation, current, onSelect }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const asker = useAskerName(conversation);
  return (
    <PaneRow
      id={conversation.id}
      current={current}
      text={conversation.userMessage || t('admin.chatbot.onlyImage')}
      badge={<BotBadge isUsingLocalSystem={conversation.isUsingLocalSystem} />}
      facts={
        <>
          <time dateTime={conversation.createdAt}>{dateTime(conversation.createdAt)}</time>
          {conversation.hasImage && (
            <Fact>
              <Icon of={Image} size="sm" />
              {t('admin.chatbot.image')}
            </Fact>
          )}
          <Foreign>{asker}</Foreign>
        </>
      }
      onSelect={onSelect}
    />
  );
}
