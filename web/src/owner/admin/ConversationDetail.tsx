import { Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { FACTS_GAP, AssistantAvatar, Badge, Button, Icon } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { Photo } from '../../shared/message/index.js';
import { coarseSystem } from './devices.js';
import { DetailHeader } from './kit/index.js';
import { BotBadge, useAskerName } from './message-parts.js';
import type { Conversation } from './types.js';

interface Props {
  conversation: Conversation;
  onDelete: () => void;
}

export function ConversationDetail({ conversation, onDelete }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const asker = useAskerName(conversation);
  const { userMessage, botResponse, imageUrl, isVisitor, isUsingLocalSystem, createdAt } = conversation;
  return (
    <>
      <DetailHeader
        title={t('admin.chatbot.heading', { name: isolate(asker) })}
        facts={
          <>
            <time dateTime={createdAt}>{dateTime(createdAt)}</time>
            {FACTS_GAP}
            <System userAgent={conversation.userAgent} />
          </>
        }
        badges={
          <>
            {!isVisitor && <Badge $tone="mint">{t('admin.chatbot.registered')}</Badge>}
            <BotBadge isUsingLocalSystem={isUsingLocalSystem} />
          </>
        }
      />
      <Exchange>
        {userMessage !== '' && <Question dir="auto">{userMessage}</Question>}
        {imageUrl !== null && (
          <Attached>
            <Photo url={imageUrl} caption={`${isolate(asker)}${FACTS_GAP}${dateTime(createdAt)}`} />
          </Attached>
        )}
        <Answer>
          <AssistantAvatar />
          <p dir="auto">{botResponse}</p>
        </Answer>
      </Exchange>
      <Actions>
        <Button variant="dangerGhost" onClick={onDelete}>
          <Icon of={Trash2} />
          {t('admin.chatbot.deleteOne')}
        </Button>
      </Actions>
    </>
  );
}

function System({ userAgent }: { userAgent: string | null }) {
  const { t } = useTranslation();
  const system = coarseSystem(userAgent);
  if (system === 'unavailable') return t('admin.chatbot.noSystem');
  return <bdi>{system === 'unknown' ? t('admin.chatbot.unknownSystem') : system}</bdi>;
}

const Exchange = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 12px;
  justify-items: start;
  p {
    padding: 10px 16px;
    border-radius: 20px;
    line-height: 1.7;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    text-align: start;
    :lang(en) & {
      line-height: 1.55;
    }
  }
`;

const Question = styled.p`
  justify-self: end;
  max-inline-size: 80%;
  background: var(--violet);
  color: var(--on-violet);
  && {
    border-end-end-radius: 5px;
  }
`;

const Attached = styled.div`
  justify-self: end;
  inline-size: 200px;
  > button {
    margin: 0;
    border-end-start-radius: 16px;
    border-end-end-radius: 5px;
  }
`;

const Answer = styled.div`
  display: flex;
  gap: 10px;
  max-inline-size: 90%;
  p {
    background: var(--sunken);
    border-start-start-radius: 5px;
  }
`;

const Actions = styled.div`
  display: flex;
  justify-content: flex-end;
  border-block-start: 1px solid var(--line);
  padding-block-start: 14px;
`;
