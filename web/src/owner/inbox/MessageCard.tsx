import { Check, EyeOff, Globe, MessagesSquare, Pin, Reply as ReplyIcon, Trash2, TriangleAlert } from 'lucide-react';
import { styled } from 'styled-components';
import { Link } from '../../ui/navigation.js';
import { Handle, Icon, Ornament, sentStatusOf, Spoken, StatusLetter } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { DESK, textSize } from '../../theme/index.js';
import { actionButton, ActionRow } from './action-row.js';
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
import { Fact, type Folded, Glance, Line, Opening, Row, Shape, Summary, Time } from './row-parts.js';
import { MessageMenu } from './MessageMenu.js';
import { useSwipe } from './use-swipe.js';

export function ReceivedCard({
  message,
  owner,
  actions,
  searched,
  fresh,
  picking,
  isRow,
  isOpen,
  onToggle,
  onReply,
  onConverse,
  onDelete,
}: ReceivedProps & Folded) {
  const { t } = useTranslation();
  const { isRead } = message;
  const own = useReceivedActions(message, actions);
  const canBeRead = !isRead && !own.isBusy && picking === undefined;
  const { isPulled, handlers } = useSwipe(canBeRead ? own.markReadBySwipe : undefined);
  const shape = cardOf(message, stateOf(message));

  if (picking)
    return (
      <Shape {...shape} style={picking.isPicked ? PICKED : undefined}>
        <Picking>
          <PickBox {...picking} />
          <PickedRow>
            <Glance message={message} searched={searched} isOpen={false} />
            <Line>
              <AboutReceived message={message} fresh={fresh} />
            </Line>
          </PickedRow>
        </Picking>
      </Shape>
    );

  return (
    <Track>
      {isPulled && canBeRead && <SwipeHint />}
      <Shape {...shape} {...handlers}>
        {isRow ? (
          <Row message={message} searched={searched} isOpen={isOpen} onToggle={onToggle}>
            <AboutReceived message={message} fresh={fresh} />
          </Row>
        ) : onConverse ? (
          <Talk>
            <Summary as="button" type="button" onClick={onConverse}>
              <Spoken>{t('messages.conversation.open')}</Spoken>
              <Glance message={message} searched={searched} isOpen={false} />
              <Line>
                <AboutReceived message={message} fresh={fresh} />
              </Line>
            </Summary>
            <MessageMenu message={message} actions={own} onOpen={onConverse} onReply={onReply} onDelete={onDelete} />
          </Talk>
        ) : (
          <Opening
            message={message}
            searched={searched}
            isOpen={isOpen}
            onToggle={onToggle}
            about={<AboutReceived message={message} fresh={fresh} />}
          >
            <ReceivedContent message={message} owner={owner} searched={searched} />
            <ActionRow>
              <WordActions actions={own} onReply={onReply} />
              <DeleteAction isDisabled={own.isBusy} onDelete={onDelete} />
              <MessageMenu message={message} actions={own} hasWord onReply={onReply} onDelete={onDelete} />
            </ActionRow>
          </Opening>
        )}
      </Shape>
    </Track>
  );
}

function AboutReceived({ message, fresh }: Pick<ReceivedProps, 'message' | 'fresh'>) {
  const { t } = useTranslation();
  const { isPublic, pinned, reply, conversationId } = message;
  return (
    <>
      <Ornament bits={message.ornament} size={28} />
      {fresh === 0 ? (
        <Spoken>{t('messages.badge.read')}</Spoken>
      ) : (
        <New>{t('messages.badge.fresh', { count: fresh })}</New>
      )}
      {conversationId != null && <Fact of={MessagesSquare} text={t('messages.conversation.badge')} />}
      <Time createdAt={message.createdAt} />
      {isPublic ? (
        <Fact of={Globe} text={t('messages.badge.published')} />
      ) : (
        <Spoken>{t('messages.badge.private')}</Spoken>
      )}
      {pinned === true && <Fact of={Pin} text={t('messages.badge.pinned')} />}
      {reply !== null && <Fact of={ReplyIcon} flip text={t('messages.badge.replied')} />}
    </>
  );
}

interface ActionsProps {
  actions: ReceivedActions;
  onReply: () => void;
}

function WordActions({ actions, onReply }: ActionsProps) {
  const { t } = useTranslation();
  const { isBusy, showsMarkRead, isMarking, visibility, isChanging, markRead, changeVisibility } = actions;
  return (
    <>
      <Action $tone="first" type="button" disabled={isBusy} onClick={onReply}>
        <Icon of={ReplyIcon} flip />
        {t('messages.action.reply')}
      </Action>
      {showsMarkRead && (
        <Action type="button" disabled={isBusy} aria-busy={isMarking || undefined} onClick={markRead}>
          <Icon of={Check} />
          {t('messages.badge.read')}
        </Action>
      )}
      <Action type="button" disabled={isBusy} aria-busy={isChanging || undefined} onClick={changeVisibility}>
        <Icon of={visibility === 'unpublish' ? EyeOff : Globe} />
        {t(`messages.action.${visibility}`)}
      </Action>
    </>
  );
}

export function SentCard({
  message,
  actions,
  searched,
  isPicking,
  isRow,
  isOpen,
  onToggle,
  onDelete,
}: SentProps & Folded) {
  const { t } = useTranslation();
  const { recipient } = message;
  const link = useSentLink(message);

  const about = (
    <>
      {isRow && <Ornament bits={message.ornament} size={28} />}
      <b>{t('messages.badge.sent')}</b>
      <StatusLetter status={sentStatusOf(message)} size={24} />
      <span>{t(`messages.status.${sentStatusOf(message)}`)}</span>
      <RecipientLine>
        {recipient === null ? (
          t('messages.card.deletedAccount')
        ) : (
          <>
            {t('messages.card.to')} <Handle username={recipient.username} />
          </>
        )}
      </RecipientLine>
      <Time createdAt={message.createdAt} />
      {message.warnedAt !== null && (
        <New data-testid="warned">
          <Fact of={TriangleAlert} text={t('messages.badge.warned')} />
        </New>
      )}
    </>
  );

  if (isRow)
    return (
      <Shape {...cardOf(message, 'sent')}>
        <Row message={message} searched={searched} isOpen={isOpen} onToggle={onToggle}>
          {about}
        </Row>
      </Shape>
    );

  return (
    <Shape {...cardOf(message, 'sent')}>
      <Opening message={message} searched={searched} isOpen={isOpen} onToggle={onToggle} about={about}>
        <SentContent message={message} searched={searched} />
        {message.warnedAt !== null && <Warning>{t('messages.badge.warned')}</Warning>}
        {!isPicking && (
          <ActionRow>
            {link && (
              <ActionLink to={link.path}>
                {link.icon}
                {link.text}
              </ActionLink>
            )}
            <DeleteAction isDisabled={actions.pending !== null} onDelete={onDelete} />
          </ActionRow>
        )}
      </Opening>
    </Shape>
  );
}

function DeleteAction({ isDisabled, onDelete }: { isDisabled: boolean; onDelete: () => void }) {
  const { t } = useTranslation();
  return (
    <Action $tone="bad" type="button" disabled={isDisabled} onClick={onDelete}>
      <Icon of={Trash2} />
      {t('messages.action.deleteThis')}
    </Action>
  );
}

function SwipeHint() {
  const { t } = useTranslation();
  return (
    <Hint aria-hidden="true">
      <Icon of={Check} />
      {t('messages.badge.read')}
    </Hint>
  );
}

const Track = styled.div`
  position: relative;
`;

const Hint = styled.span`
  position: absolute;
  inset-block: 0;
  inset-inline-start: 16px;
  display: flex;
  gap: 8px;
  align-items: center;
  font-weight: 700;
  color: var(--mint-text);
`;

const New = styled.span`
  color: var(--rose-text);
  font-weight: 700;
  svg {
    inline-size: 15px;
    block-size: 15px;
  }
`;

const RecipientLine = styled.span`
  color: var(--ink-2);
  font-weight: 700;
  min-inline-size: 0;
  overflow: hidden;
  text-overflow: ellipsis;
`;

const Warning = styled.p`
  margin-block: 6px;
  color: var(--rose-text);
  font-weight: 700;
  ${textSize('15px', '13px')}
`;

const TONES = {
  first: 'color: var(--on-violet-tint); background: var(--violet-tint);',
  bad: 'color: var(--danger-text); @media (min-width: 768px) { margin-inline-start: auto; }',
} as const;

const Action = styled.button<{ $tone?: keyof typeof TONES }>`
  ${actionButton}
  ${({ $tone }) => $tone !== undefined && TONES[$tone]}
`;

const ActionLink = styled(Link)`
  ${actionButton}
`;

const Talk = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: end;
  > button:first-child {
    text-align: start;
  }
  > button:last-of-type {
    margin: 0 8px 4px 0;
  }
`;

const Picking = styled.div`
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr);
  align-items: center;
  padding-inline-start: 8px;
  > span:first-child {
    margin: 0;
  }
  @media ${DESK} {
    padding-inline-start: 12px;
  }
`;

const PickedRow = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 3px;
  min-inline-size: 0;
  padding: 13px 4px 6px;
  padding-inline-end: 16px;
  @media ${DESK} {
    gap: 0;
    padding-block: 10px;
    [data-part='ornament'] {
      display: none;
    }
  }
`;
