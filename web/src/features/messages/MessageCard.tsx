import { Check, EyeOff, Globe, Lock, Reply as ReplyIcon, SendHorizontal, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Avatar, Badge, Button, Handle, Icon, MessageShape, StatusDot } from '../../components/index.js';
import { useFormats, useTimes } from '../../i18n/index.js';
import { MessageSound, LockedSound } from './MessageSound.js';
import { MessageMeta, MessageText, Photo, ReplyBubble } from './message-parts.js';
import type { ReceivedMessage, SentMessage } from './types.js';
import type { MessageActions } from './use-message-actions.js';

export interface Owner {
  id: number;
  name: string;
  avatar: string | null;
  isAdmin: boolean;
  isVerified: boolean;
}

interface CardProps {
  actions: MessageActions;
  onDelete: () => void;
}

interface ReceivedProps extends CardProps {
  message: ReceivedMessage;
  owner: Owner;
  onReply: () => void;
}

export function ReceivedCard({ message, owner, actions, onReply, onDelete }: ReceivedProps) {
  const { t } = useTranslation();
  const times = useTimes();
  const { dateTime } = useFormats();
  const { id, isRead, isPublic, reply } = message;
  const busy = actions.pending !== null;
  const pending = actions.pending?.id === id ? actions.pending.action : null;
  // The card shows the change at once, but the clicked button keeps its label until the server answers.
  const showsMarkRead = !isRead || pending === 'read';
  const changesVisibility = pending === 'publish' || pending === 'unpublish';
  const next = isPublic ? 'unpublish' : 'publish';
  const visibility = changesVisibility ? pending : next;

  return (
    <MessageShape
      state={isRead ? 'read' : 'unread'}
      data-testid="message"
      data-message-id={id}
      data-state={isRead ? 'read' : 'unread'}
    >
      <MessageMeta time={times.message(message.createdAt)} createdAt={message.createdAt} />
      {message.content !== '' && <MessageText>{message.content}</MessageText>}
      <MessageSound message={message} failure={t('player.failed')} />
      {message.imageUrl !== null && (
        <Photo url={message.imageUrl} caption={`${t('common.person.anonymous')} · ${dateTime(message.createdAt)}`} />
      )}
      {reply !== null && <ReplyBubble reply={reply} owner={owner} premium={owner.isAdmin && owner.isVerified} />}
      <Badges>
        {isRead ? (
          <Badge $tone="mint">
            <StatusDot $size={7} />
            {t('messages.badge.read')}
          </Badge>
        ) : (
          <Badge $tone="rose">
            <StatusDot $size={7} $colour="var(--rose-strong)" $pulsing />
            {t('messages.badge.fresh')}
          </Badge>
        )}
        <Badge $tone={isPublic ? 'violet' : 'plain'}>
          <Icon of={isPublic ? Globe : Lock} />
          {t(isPublic ? 'messages.badge.published' : 'messages.badge.private')}
        </Badge>
      </Badges>
      <Actions>
        <Button variant="soft" size="sm" disabled={busy} onClick={onReply}>
          <Icon of={ReplyIcon} flip />
          {t('messages.action.reply')}
        </Button>
        {showsMarkRead && (
          <Button
            variant="ghost"
            size="sm"
            disabled={busy}
            busy={pending === 'read' ? t('messages.action.markRead') : undefined}
            onClick={() => void actions.markRead(id)}
          >
            <Icon of={Check} />
            {t('messages.action.markRead')}
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          disabled={busy}
          busy={changesVisibility ? t(`messages.action.${visibility}`) : undefined}
          onClick={() => void actions.setPublic(id, !isPublic)}
        >
          <Icon of={visibility === 'unpublish' ? EyeOff : Globe} />
          {t(`messages.action.${visibility}`)}
        </Button>
        <DeleteButton disabled={busy} onClick={onDelete} />
      </Actions>
    </MessageShape>
  );
}

export function SentCard({ message, actions, onDelete }: CardProps & { message: SentMessage }) {
  const { t } = useTranslation();
  const times = useTimes();
  const { dateTime } = useFormats();
  const { id, userId, recipient, reply } = message;
  const name =
    recipient === null ? (
      t('messages.card.nobody')
    ) : (
      <>
        {t('messages.card.to')} <Handle username={recipient.username} />
      </>
    );

  return (
    <MessageShape state="sent" data-testid="message" data-message-id={id} data-state="sent">
      <MessageMeta
        avatar={recipient === null ? undefined : <Avatar person={{ id: userId, name: recipient.name, avatar: null }} />}
        name={name}
        time={times.message(message.createdAt)}
        createdAt={message.createdAt}
      />
      {message.content !== '' && <MessageText>{message.content}</MessageText>}
      {canPlay(message) ? (
        <MessageSound message={message} failure={t('player.failed')} />
      ) : (
        <LockedSound message={message} />
      )}
      {message.imageUrl !== null && <Photo url={message.imageUrl} caption={dateTime(message.createdAt)} />}
      {reply !== null && recipient !== null && (
        <ReplyBubble reply={reply} owner={{ id: userId, name: recipient.name, avatar: null }} premium={false} />
      )}
      <Badges>
        <Badge $tone="gold">
          <Icon of={SendHorizontal} flip />
          {t('messages.badge.sent')}
        </Badge>
      </Badges>
      <Actions>
        <DeleteButton disabled={actions.pending !== null} onClick={onDelete} />
      </Actions>
    </MessageShape>
  );
}

/** Only the recipient may hear a private voice message. A message to oneself has the same sender and recipient. */
const canPlay = ({ audioUrl, isPublic, userId, senderUserId }: SentMessage) =>
  audioUrl === null || isPublic || userId === senderUserId;

function DeleteButton({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <DeleteArea>
      <Button
        variant="dangerGhost"
        size="sm"
        aria-label={t('messages.action.delete')}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon of={Trash2} />
        <span>{t('messages.action.delete')}</span>
      </Button>
    </DeleteArea>
  );
}

const Badges = styled.div`
  display: flex;
  gap: 6px;
  flex-wrap: wrap;
  margin-block-start: 14px;
`;

const Actions = styled.div`
  display: flex;
  gap: 4px;
  align-items: center;
  margin-block-start: 16px;
  padding-block-start: 12px;
  border-block-start: 1px solid var(--line);
  margin-inline: -8px;
  flex-wrap: wrap;
  ${({ theme }) => theme.media.phone} {
    gap: 2px;
    button {
      padding-inline: 7px;
      gap: 4px;
      min-inline-size: 36px;
    }
  }
`;

const DeleteArea = styled.span`
  margin-inline-start: auto;
  ${({ theme }) => theme.media.phone} {
    span {
      display: none;
    }
  }
`;
