import { Check, EyeOff, Globe, SendHorizontal, Trash2 } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { keyframes, styled } from 'styled-components';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { lazyPart } from '../../lib/on-demand.js';
import { directionOf, withoutForbidden } from '../../lib/text.js';
import type { Message } from '../../shared/message/index.js';
import { SoundBar } from '../../shared/player/index.js';
import { small, textSize } from '../../theme/index.js';
import {
  Button,
  ButtonLink,
  FieldError,
  Handle,
  Icon,
  IconButton,
  MessageShape,
  MessageSkeletons,
  type MessageState,
  Ornament,
  sentStatusOf,
  StatusLetter,
  Textarea,
  useToast,
} from '../../ui/index.js';
import {
  type Owner,
  type ReceivedActions,
  ReceivedContent,
  SentContent,
  stateOf,
  useReceivedActions,
  useSentLink,
} from './card-parts.js';
import { MessageMenu } from './MessageMenu.js';
import { Marked } from './search-parts.js';
import type { Entry, SentMessage } from './types.js';
import type { MessageActions } from './use-message-actions.js';
import { useReply } from './use-reply.js';

const Talk = lazyPart(async () => (await import('./Conversation.js')).Talk);

interface PaneProps {
  owner: Owner;
  actions: MessageActions;
  isFound: boolean;
  searched: readonly string[];
  onDelete: (entry: Entry) => void;
  onClose: () => void;
}

/** A desk's open message, in large type, with its reply. */
export function ReadingPane({ entry, ...props }: PaneProps & { entry: Entry | undefined }) {
  const { t } = useTranslation();
  return (
    <Place aria-label={t('messages.pane.label')}>
      {entry === undefined ? (
        <Nothing>
          <Ornament bits={OUTLINE} size={120} />
          <h2>{t('messages.pane.title')}</h2>
          <p>{t('messages.pane.text')}</p>
        </Nothing>
      ) : entry.kind === 'sent' ? (
        <Sent key={entry.message.id} message={entry.message} {...props} />
      ) : (
        <Received key={entry.message.conversationId ?? entry.message.id} message={entry.message} {...props} />
      )}
    </Place>
  );
}

function Received({ message, owner, actions, isFound, searched, onDelete, onClose }: PaneProps & { message: Message }) {
  const { t } = useTranslation();
  const own = useReceivedActions(message, actions);
  const { isRead, isPublic, pinned } = message;
  const actionsWith = (end?: ReactNode) => (
    <ReceivedButtons message={message} actions={own} onDelete={() => onDelete({ kind: 'received', message })}>
      {end}
    </ReceivedButtons>
  );
  const state = isPublic ? 'published' : stateOf(message);
  if (message.conversationId != null)
    return (
      <Sheet data-testid="reading" state={state}>
        <Turns>
          <Suspense fallback={<MessageSkeletons />}>
            <Talk
              message={message}
              isFound={isFound}
              searched={searched}
              account={owner.id}
              actions={actions}
              onClose={onClose}
              menu={actionsWith}
            />
          </Suspense>
        </Turns>
      </Sheet>
    );
  return (
    <Reading
      message={message}
      searched={searched}
      state={state}
      title={t('common.person.anonymous')}
      facts={
        <>
          <span>{isRead ? t('messages.badge.read') : t('messages.badge.fresh', { count: 1 })}</span>
          <span>{t(isPublic ? 'messages.badge.published' : 'messages.badge.private')}</span>
          {pinned === true && <span>{t('messages.badge.pinned')}</span>}
        </>
      }
      buttons={actionsWith()}
      reply={<Reply message={message} account={owner.id} />}
    >
      <ReceivedContent message={message} owner={owner} searched={searched}>
        {message.audioUrl !== null && <Altered>{t('messages.pane.voice')}</Altered>}
      </ReceivedContent>
    </Reading>
  );
}

interface ButtonsProps {
  message: Message;
  actions: ReceivedActions;
  onDelete: () => void;
  children: ReactNode;
}

function ReceivedButtons({ message, actions, onDelete, children }: ButtonsProps) {
  const { t } = useTranslation();
  const { isBusy, showsMarkRead, isMarking, visibility, isChanging, markRead, changeVisibility } = actions;
  return (
    <Buttons>
      {showsMarkRead && (
        <IconButton
          size="sm"
          label={t('messages.action.markRead')}
          disabled={isBusy}
          aria-busy={isMarking || undefined}
          onClick={markRead}
        >
          <Icon of={Check} />
        </IconButton>
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
      <IconButton size="sm" label={t('messages.action.deleteThis')} disabled={isBusy} onClick={onDelete}>
        <Icon of={Trash2} />
      </IconButton>
      <MessageMenu message={message} actions={actions} onDelete={onDelete}>
        {children}
      </MessageMenu>
    </Buttons>
  );
}

function Sent({ message, actions, searched, onDelete }: PaneProps & { message: SentMessage }) {
  const { t } = useTranslation();
  const { recipient, warnedAt } = message;
  const link = useSentLink(message);
  const status = sentStatusOf(message);
  return (
    <Reading
      message={message}
      searched={searched}
      state="sent"
      title={t('messages.badge.sent')}
      facts={
        <>
          <StatusLetter status={status} size={24} />
          <span>{t(`messages.status.${status}`)}</span>
          <span>
            {recipient === null ? (
              t('messages.card.deletedAccount')
            ) : (
              <>
                {t('messages.card.to')} <Handle username={recipient.username} />
              </>
            )}
          </span>
        </>
      }
      buttons={
        <Buttons>
          {link && (
            <ButtonLink to={link.path} variant="ghost" size="sm">
              {link.icon}
              {link.text}
            </ButtonLink>
          )}
          <IconButton
            size="sm"
            label={t('messages.action.deleteThis')}
            disabled={actions.pending !== null}
            onClick={() => onDelete({ kind: 'sent', message })}
          >
            <Icon of={Trash2} />
          </IconButton>
        </Buttons>
      }
    >
      {warnedAt !== null && <Warning>{t('messages.badge.warned')}</Warning>}
      <SentContent message={message} searched={searched} />
    </Reading>
  );
}

interface ReadingProps {
  message: Message;
  searched: readonly string[];
  state: MessageState;
  title: string;
  facts: ReactNode;
  buttons: ReactNode;
  reply?: ReactNode;
  children: ReactNode;
}

function Reading({ message, searched, state, title, facts, buttons, reply, children }: ReadingProps) {
  const { t } = useTranslation();
  const times = useTimes();
  const { ornament, audioUrl, createdAt } = message;
  const isVoice = state !== 'sent' && audioUrl !== null;
  const content = message.content === '' && isVoice ? t('messages.card.voice') : message.content;
  return (
    <Sheet data-testid="reading" state={state}>
      <Top>
        <div>
          <b>{title}</b>
          <time dateTime={createdAt}>{times.message(createdAt)}</time>
          <p>{facts}</p>
        </div>
        {buttons}
      </Top>
      {/* The keyboard scrolls it. */}
      <Text tabIndex={0}>
        <Ornament bits={ornament} size={96} />
        {content !== '' && (
          <p dir="auto" data-testid="reading-text">
            <Marked text={content} words={searched} />
          </p>
        )}
        {children}
      </Text>
      {reply}
    </Sheet>
  );
}

function Reply({ message, account }: { message: Message; account: number }) {
  const { t } = useTranslation();
  const toast = useToast();
  const { text, isReady, fault, busy, write, submit } = useReply(message, account);
  const canSend = isReady && text !== message.reply?.content;
  const send = async () => {
    if (await submit())
      toast({ variant: 'success', title: t('messages.reply.done'), text: t('messages.reply.doneText') });
  };
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend && busy === undefined) void send();
      }}
    >
      <Textarea
        rows={2}
        value={text}
        disabled={busy !== undefined}
        aria-label={t('messages.reply.title')}
        placeholder={t('messages.reply.title')}
        aria-invalid={fault !== undefined}
        dir={directionOf(text)}
        onChange={({ target }) => write(withoutForbidden(target.value))}
      />
      {fault !== undefined && <FieldError>{fault}</FieldError>}
      <div>
        <p>{t('messages.reply.text')}</p>
        <Button type="submit" variant={canSend ? 'primary' : 'soft'} aria-disabled={!canSend} busy={busy}>
          <Icon of={SendHorizontal} flip />
          {t('messages.reply.send')}
        </Button>
      </div>
    </Form>
  );
}

/** A square on its corner, of no message. */
const OUTLINE = 'ba2945b603ffaf58';

const grow = keyframes`
  from { block-size: calc(100vh - 172px); }
  to { block-size: calc(100vh - 96px); }
`;

/** Below the header and the head of the page. Takes the room of the head as that is scrolled away. */
const Place = styled.section`
  position: sticky;
  inset-block-start: 76px;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  min-block-size: 320px;
  block-size: calc(100vh - 172px);
  @supports (animation-timeline: scroll()) {
    animation: ${grow} linear both;
    animation-timeline: scroll();
    animation-range: 0 76px;
  }
`;

const Nothing = styled.div`
  display: grid;
  place-items: center;
  place-content: center;
  gap: 6px;
  padding: 40px;
  ${({ theme }) => theme.bubble.dialog}
  background: var(--sunken);
  text-align: center;
  svg {
    stroke: var(--field);
    margin-block-end: 14px;
  }
  path {
    stroke: inherit;
  }
  h2 {
    ${textSize('24px', '21px')}
  }
  p {
    color: var(--ink-2);
    max-inline-size: 21em;
  }
`;

const Sheet = styled(MessageShape)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  grid-template-rows: auto minmax(0, 1fr) auto;
  min-block-size: 0;
  padding: 16px 40px 24px;
  ${({ theme }) => theme.bubble.dialog}
  box-shadow: none;
`;

const Turns = styled.div`
  grid-row: 1 / -1;
  display: grid;
  align-content: start;
  grid-template-columns: minmax(0, 1fr);
  gap: 12px;
  margin-inline: -16px;
  padding-inline: 16px;
  overflow: hidden auto;
  background: var(--surface);
  --behind: var(--surface);
  > header {
    padding-inline-end: 76px;
  }
`;

const Top = styled.header`
  display: flex;
  gap: 14px;
  align-items: start;
  justify-content: space-between;
  min-block-size: 48px;
  padding-inline-end: 76px;
  b {
    margin-inline-end: 12px;
  }
  time,
  p {
    color: var(--ink-3);
    ${textSize('15px', '13px')}
    line-height: 1.5;
  }
  p {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    column-gap: 12px;
  }
`;

const Buttons = styled.div`
  display: flex;
  flex: none;
  gap: 4px;
`;

const Text = styled.div`
  margin-inline: -8px;
  padding: 14px 8px 16px;
  overflow: hidden auto;
  > svg:first-child {
    float: inline-start;
    margin-block: 4px 8px;
    margin-inline-end: 28px;
  }
  > [data-testid='reading-text'] {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    text-align: start;
    text-wrap: pretty;
    ${textSize('26px', '23px')}
    line-height: 2.75rem;
    :lang(en) & {
      line-height: 2.3125rem;
      letter-spacing: -0.008em;
    }
  }
  > :is(p, svg) ~ :not(svg, p) {
    clear: both;
  }
  ${SoundBar} {
    max-inline-size: none;
  }
`;

const Altered = styled.p`
  ${small}
  color: var(--ink-3);
`;

const Warning = styled.p`
  color: var(--rose-text);
  font-weight: 700;
`;

const Form = styled.form`
  display: grid;
  gap: 8px;
  padding-block-start: 16px;
  border-block-start: 1px solid var(--line);
  textarea {
    min-block-size: 76px;
    max-block-size: 30vh;
  }
  > div {
    display: flex;
    gap: 16px;
    align-items: center;
    justify-content: space-between;
  }
  p {
    color: var(--ink-3);
    ${small}
  }
`;
