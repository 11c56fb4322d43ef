import {
  Check,
  EyeOff,
  Globe,
  Lock,
  Pin,
  Reply as ReplyIcon,
  SendHorizontal,
  Trash2,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import type { CSSProperties } from 'react';
import { styled } from 'styled-components';
import {
  Avatar,
  Badge,
  Button,
  ButtonLink,
  Checkbox,
  Handle,
  Icon,
  MessageShape,
  Ornament,
  sentStatusOf,
  StatusDot,
  StatusLetter,
  Tooltip,
} from '../../components/index.js';
import { useFormats, useTimes, useTranslation } from '../../i18n/index.js';
import { useKeptWays } from '../../lib/kept-ways.js';
import { accountHere } from '../../lib/signed-in.js';
import { MessageSound, LockedSound } from './MessageSound.js';
import { MessageMenu } from './MessageMenu.js';
import { Marked } from './search-parts.js';
import { AnsweredPrompt, MessageMeta, MessageText, Photo, ReplyBubble } from './message-parts.js';
import type { ReceivedMessage, SentMessage } from './types.js';
import type { MessageActions } from './use-message-actions.js';

export type CardActions = Pick<MessageActions, 'pending' | 'markRead' | 'setPublic'>;

export interface Owner {
  id: number;
  name: string;
  avatar: string | null;
  isAdmin: boolean;
  isVerified: boolean;
}

export interface CardProps {
  actions: CardActions;
  /** To mark in the texts. */
  searched: readonly string[];
  onDelete: () => void;
}

interface Picking {
  isPicked: boolean;
  /** @param isRange with all between this message and the one that was picked before */
  onPick: (isRange: boolean) => void;
}

export interface ReceivedProps extends CardProps {
  message: ReceivedMessage;
  owner: Owner;
  /** While messages are selected. */
  picking?: Picking | undefined;
  onReply: () => void;
}

/** Picks a message for a change of many. */
export function PickBox({ isPicked, onPick }: Picking) {
  const { t } = useTranslation();
  return (
    <PickPlace>
      <Checkbox
        checked={isPicked}
        aria-label={t('messages.select.one')}
        onClick={({ shiftKey }) => {
          onPick(shiftKey);
        }}
      />
    </PickPlace>
  );
}

export function ReceivedCard({ message, owner, actions, searched, picking, onReply, onDelete }: ReceivedProps) {
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
      style={picking?.isPicked === true ? PICKED : undefined}
    >
      <Head>
        {picking && <PickBox {...picking} />}
        <MessageMeta
          avatar={<Ornament bits={message.ornament} size={40} />}
          time={times.message(message.createdAt)}
          createdAt={message.createdAt}
        />
      </Head>
      <AnsweredPrompt prompt={message.prompt} />
      {message.content !== '' && (
        <MessageText>
          <Marked text={message.content} words={searched} />
        </MessageText>
      )}
      <MessageSound message={message} failure={t('player.failed')} />
      {message.imageUrl !== null && (
        <Photo url={message.imageUrl} caption={`${t('common.person.anonymous')} · ${dateTime(message.createdAt)}`} />
      )}
      {reply !== null && (
        <ReplyBubble
          reply={{ ...reply, content: <Marked text={reply.content} words={searched} /> }}
          owner={owner}
          premium={owner.isAdmin && owner.isVerified}
        />
      )}
      <Badges>
        {isRead ? (
          <Badge $tone="mint">
            <StatusDot $size={7} />
            {t('messages.badge.read')}
          </Badge>
        ) : (
          <Badge $tone="rose">
            <StatusDot $size={7} $colour="var(--rose-strong)" $pulsing />
            {t('messages.badge.new')}
          </Badge>
        )}
        {isPublic ? (
          <Badge $tone="violet">
            <Icon of={Globe} />
            {t('messages.badge.published')}
          </Badge>
        ) : (
          <Tooltip text={t('messages.badge.privateHint')}>
            <Badge $tone="plain" tabIndex={0}>
              <Icon of={Lock} />
              {t('messages.badge.private')}
            </Badge>
          </Tooltip>
        )}
        {message.pinned === true && (
          <Badge $tone="line">
            <Icon of={Pin} />
            {t('messages.badge.pinned')}
          </Badge>
        )}
      </Badges>
      {!picking && (
        <Actions>
          <Most $isTight={showsMarkRead && visibility === 'unpublish'}>
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
          </Most>
          <DeleteButton isInMenu disabled={busy} onClick={onDelete} />
          <MessageMenu
            message={message}
            isPublic={isPublic && !changesVisibility}
            disabled={busy}
            onReply={onReply}
            onSetPublic={(next) => void actions.setPublic(id, next)}
            onDelete={onDelete}
          />
        </Actions>
      )}
    </MessageShape>
  );
}

export function SentCard({
  message,
  actions,
  searched,
  isPicking,
  onDelete,
}: CardProps & { message: SentMessage; isPicking: boolean }) {
  const { t } = useTranslation();
  const times = useTimes();
  const { dateTime } = useFormats();
  const { id, userId, recipient, reply } = message;
  const way = useKeptWays(accountHere()).find(({ messageId }) => messageId === id);
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
        avatar={
          recipient === null ? (
            <Ornament bits={message.ornament} size={40} />
          ) : (
            <Avatar person={{ id: userId, name: recipient.name, avatar: null }} />
          )
        }
        name={name}
        time={times.message(message.createdAt)}
        createdAt={message.createdAt}
      />
      <AnsweredPrompt prompt={message.prompt} />
      {message.content !== '' && (
        <MessageText>
          <Marked text={message.content} words={searched} />
        </MessageText>
      )}
      {canPlay(message) ? (
        <MessageSound message={message} failure={t('player.failed')} />
      ) : (
        <LockedSound message={message} />
      )}
      {message.imageUrl !== null && <Photo url={message.imageUrl} caption={dateTime(message.createdAt)} />}
      {reply !== null && recipient !== null && (
        <ReplyBubble
          reply={{ ...reply, content: <Marked text={reply.content} words={searched} /> }}
          owner={{ id: userId, name: recipient.name, avatar: null }}
          premium={false}
        />
      )}
      <Badges>
        <Badge $tone="gold">
          <Icon of={SendHorizontal} flip />
          {t('messages.badge.sent')}
        </Badge>
        <Badge $tone="plain">
          <StatusLetter status={sentStatusOf(message)} size={20} />
          {t(`messages.status.${sentStatusOf(message)}`)}
        </Badge>
        {message.warnedAt !== null && (
          <Badge $tone="rose" data-testid="warned">
            <Icon of={TriangleAlert} />
            {t('messages.badge.warned')}
          </Badge>
        )}
      </Badges>
      {!isPicking && (
        <Actions>
          {way !== undefined && (
            <ButtonLink to={way.path} variant="ghost" size="sm">
              <Icon of={Undo2} flip />
              {t('wayBack.link')}
            </ButtonLink>
          )}
          <DeleteButton disabled={actions.pending !== null} onClick={onDelete} />
        </Actions>
      )}
    </MessageShape>
  );
}

/** Only the recipient may hear a private voice message. A message to oneself has the same sender and recipient. */
export const canPlay = ({ audioUrl, isPublic, userId, senderUserId }: SentMessage) =>
  audioUrl === null || isPublic || userId === senderUserId;

interface DeleteProps {
  /** True if a menu beside it has the action as well, which is enough on a phone. */
  isInMenu?: boolean;
  disabled: boolean;
  onClick: () => void;
}

function DeleteButton({ isInMenu = false, disabled, onClick }: DeleteProps) {
  const { t } = useTranslation();
  return (
    <DeleteArea $isInMenu={isInMenu}>
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

/** The edge of a selected message. */
export const PICKED = {
  '--edge': 'var(--violet)',
  borderColor: 'var(--violet)',
  boxShadow: 'inset 0 0 0 1px var(--violet)',
  background: 'color-mix(in srgb, var(--violet-tint) 42%, var(--surface))',
} as CSSProperties;

const Head = styled.div`
  display: flex;
  align-items: center;
`;

const PickPlace = styled.span`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  margin-inline: -10px 4px;
  flex: none;
`;

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
      min-inline-size: 44px;
    }
  }
`;

/** On a phone its buttons wrap without the menu, which stays at the end of their first row. */
const Most = styled.span<{ $isTight: boolean }>`
  display: contents;
  ${({ theme }) => theme.media.phone} {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 2px;
    ${({ $isTight }) => $isTight && '> button + button svg { display: none; }'}
  }
`;

const DeleteArea = styled.span<{ $isInMenu: boolean }>`
  margin-inline-start: auto;
  ${({ theme }) => theme.media.phone} {
    button {
      ${({ $isInMenu }) => $isInMenu && 'display: none;'}
    }
    span {
      display: none;
    }
  }
`;
