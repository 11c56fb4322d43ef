import {
  Check,
  EyeOff,
  Globe,
  Lock,
  MessagesSquare,
  Pin,
  Reply as ReplyIcon,
  SendHorizontal,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { styled } from 'styled-components';
import {
  Avatar,
  Badge,
  Button,
  ButtonLink,
  Handle,
  Icon,
  MessageShape,
  Ornament,
  sentStatusOf,
  StatusDot,
  StatusLetter,
  Tooltip,
} from '../../ui/index.js';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { type Message, MessageMeta, MessageText } from '../../shared/message/index.js';
import {
  cardOf,
  PickBox,
  PICKED,
  type ReceivedActions,
  ReceivedContent,
  type ReceivedProps,
  SentContent,
  type SentProps,
  stateOf,
  useReceivedActions,
  useSentLink,
} from './card-parts.js';
import { MessageMenu } from './MessageMenu.js';
import { Marked } from './search-parts.js';

export function ReceivedCard(props: ReceivedProps) {
  const { message, owner, actions, searched, fresh, picking, onReply, onConverse, onDelete } = props;
  const times = useTimes();
  const own = useReceivedActions(message, actions);
  return (
    <MessageShape {...cardOf(message, stateOf(message))} style={picking?.isPicked === true ? PICKED : undefined}>
      <Head>
        {picking && <PickBox {...picking} />}
        <MessageMeta
          avatar={<Ornament bits={message.ornament} size={40} />}
          time={times.message(message.createdAt)}
          createdAt={message.createdAt}
        />
      </Head>
      <ReceivedContent message={message} owner={owner} searched={searched}>
        <Words message={message} searched={searched} onConverse={picking ? undefined : onConverse} />
      </ReceivedContent>
      <ReceivedBadges message={message} fresh={fresh} />
      {!picking && (
        <Actions>
          <InlineActions actions={own} onReply={onReply} onConverse={onConverse} />
          <DeleteButton isInMenu disabled={own.isBusy} onClick={onDelete} />
          <MessageMenu message={message} actions={own} onOpen={onConverse} onReply={onReply} onDelete={onDelete} />
        </Actions>
      )}
    </MessageShape>
  );
}

interface WordsProps {
  message: Message;
  searched: readonly string[];
  onConverse?: (() => void) | undefined;
}

function Words({ message, searched, onConverse }: WordsProps) {
  if (message.content === '') return null;
  const words = <Marked text={message.content} words={searched} />;
  return onConverse ? (
    <TextButton as="button" type="button" onClick={onConverse}>
      {words}
    </TextButton>
  ) : (
    <MessageText>{words}</MessageText>
  );
}

function ReceivedBadges({ message, fresh }: Pick<ReceivedProps, 'message' | 'fresh'>) {
  const { t } = useTranslation();
  const { isPublic, pinned, conversationId } = message;
  return (
    <Badges>
      {conversationId != null && (
        <Badge $tone="violet">
          <Icon of={MessagesSquare} />
          {t('messages.conversation.badge')}
        </Badge>
      )}
      {fresh === 0 ? (
        <Badge $tone="mint">
          <StatusDot $size={7} />
          {t('messages.badge.read')}
        </Badge>
      ) : (
        <Badge $tone="rose">
          <StatusDot $size={7} $colour="var(--rose-strong)" $pulsing />
          {t('messages.badge.fresh', { count: fresh })}
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
      {pinned === true && (
        <Badge $tone="line">
          <Icon of={Pin} />
          {t('messages.badge.pinned')}
        </Badge>
      )}
    </Badges>
  );
}

interface InlineProps extends Pick<ReceivedProps, 'onReply' | 'onConverse'> {
  actions: ReceivedActions;
}

function InlineActions({ actions, onReply, onConverse }: InlineProps) {
  const { t } = useTranslation();
  const { isBusy, showsMarkRead, isMarking, visibility, isChanging, markRead, changeVisibility } = actions;
  return (
    <ActionGroup $isTight={showsMarkRead && visibility === 'unpublish'}>
      <Button variant="soft" size="sm" disabled={isBusy} onClick={onConverse ?? onReply}>
        <Icon of={onConverse ? MessagesSquare : ReplyIcon} flip={!onConverse} />
        {t(onConverse ? 'messages.conversation.open' : 'messages.action.reply')}
      </Button>
      {showsMarkRead && (
        <Button
          variant="ghost"
          size="sm"
          disabled={isBusy}
          busy={isMarking ? t('messages.action.markRead') : undefined}
          onClick={markRead}
        >
          <Icon of={Check} />
          {t('messages.action.markRead')}
        </Button>
      )}
      <Button
        variant="ghost"
        size="sm"
        disabled={isBusy}
        busy={isChanging ? t(`messages.action.${visibility}`) : undefined}
        onClick={changeVisibility}
      >
        <Icon of={visibility === 'unpublish' ? EyeOff : Globe} />
        {t(`messages.action.${visibility}`)}
      </Button>
    </ActionGroup>
  );
}

export function SentCard({ message, actions, searched, isPicking, onDelete }: SentProps) {
  const { t } = useTranslation();
  const times = useTimes();
  const { userId, recipient } = message;
  const link = useSentLink(message);
  const name =
    recipient === null ? (
      t('messages.card.deletedAccount')
    ) : (
      <>
        {t('messages.card.to')} <Handle username={recipient.username} />
      </>
    );

  return (
    <MessageShape {...cardOf(message, 'sent')}>
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
      <SentContent message={message} searched={searched}>
        <Words message={message} searched={searched} />
      </SentContent>
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
          {link && (
            <ButtonLink to={link.path} variant="ghost" size="sm">
              {link.icon}
              {link.text}
            </ButtonLink>
          )}
          <DeleteButton disabled={actions.pending !== null} onClick={onDelete} />
        </Actions>
      )}
    </MessageShape>
  );
}

interface DeleteProps {
  /** Also in the menu, which suffices on phones. */
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

const Head = styled.div`
  display: flex;
  align-items: center;
`;

const TextButton = styled(MessageText)`
  inline-size: 100%;
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

/** On phones the buttons wrap; the menu stays at the end of their first row. */
const ActionGroup = styled.span<{ $isTight: boolean }>`
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
