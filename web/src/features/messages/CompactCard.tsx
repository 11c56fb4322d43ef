import {
  Check,
  EyeOff,
  Globe,
  Lock,
  type LucideIcon,
  Mic,
  Pin,
  Reply as ReplyIcon,
  Trash2,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Link } from '../../app/navigation.js';
import {
  Handle,
  Icon,
  IconButton,
  MessageShape,
  Ornament,
  sentStatusOf,
  StatusLetter,
} from '../../components/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { useKeptWays } from '../../lib/kept-ways.js';
import { previewSrc } from '../../lib/media.js';
import { accountHere } from '../../lib/signed-in.js';
import { textSize, visuallyHidden } from '../../theme/index.js';
import { toBars, Waveform } from '../player/index.js';
import { canPlay, type CardProps, type ReceivedProps, PickBox, PICKED } from './MessageCard.js';
import { actionButton, ActionRow } from './action-row.js';
import { MessageSound, LockedSound } from './MessageSound.js';
import { MessageMenu } from './MessageMenu.js';
import { Marked } from './search-parts.js';
import { AnsweredPrompt, Photo, ReplyBubble } from './message-parts.js';
import type { Message, SentMessage } from './types.js';
import { type Side, useSwipe } from './use-swipe.js';
import { useShortTime } from './use-short-time.js';

interface Folded {
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** A received message: words first, one line about it, and the rest on a press. */
export function CompactReceivedCard({
  message,
  owner,
  actions,
  searched,
  picking,
  isOpen,
  onToggle,
  onReply,
  onDelete,
}: ReceivedProps & Folded) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { id, isRead, isPublic, reply, createdAt } = message;
  const busy = actions.pending !== null;
  const pending = actions.pending?.id === id ? actions.pending.action : null;
  const showsMarkRead = !isRead || pending === 'read';
  const changesVisibility = pending === 'publish' || pending === 'unpublish';
  const visibility = changesVisibility ? pending : isPublic ? 'unpublish' : 'publish';
  const markRead = () => void actions.markRead(id);
  const changeVisibility = () => void actions.setPublic(id, !isPublic);
  const { side, handlers } = useSwipe(
    busy || picking !== undefined ? {} : { end: isRead ? undefined : markRead, start: changeVisibility },
  );

  const about = (
    <>
      <Ornament bits={message.ornament} size={24} />
      {isRead ? <Spoken>{t('messages.badge.read')}</Spoken> : <New>{t('messages.badge.new')}</New>}
      <Time createdAt={createdAt} />
      <Fact of={isPublic ? Globe : Lock} text={t(isPublic ? 'messages.badge.published' : 'messages.badge.private')} />
      {message.pinned === true && <Fact of={Pin} text={t('messages.badge.pinned')} />}
      {reply !== null && <Fact of={ReplyIcon} flip text={t('messages.badge.replied')} />}
    </>
  );
  const shape = {
    state: isRead ? 'read' : 'unread',
    'data-testid': 'message',
    'data-message-id': id,
    'data-state': isRead ? 'read' : 'unread',
  } as const;

  if (picking)
    return (
      <Shape {...shape} style={picking.isPicked ? PICKED : undefined}>
        <Picking>
          <PickBox {...picking} />
          <PickedRow>
            <Glance message={message} searched={searched} isOpen={false} />
            <Line>{about}</Line>
          </PickedRow>
        </Picking>
      </Shape>
    );

  return (
    <Track>
      {side !== null && <SwipeHint side={side} next={visibility} isRead={isRead} />}
      <Shape {...shape} {...handlers}>
        {!isOpen && (
          <Quick>
            <IconButton size="sm" label={t('messages.action.reply')} disabled={busy} onClick={onReply}>
              <Icon of={ReplyIcon} flip />
            </IconButton>
            {showsMarkRead && (
              <IconButton size="sm" label={t('messages.action.markRead')} disabled={busy} onClick={markRead}>
                <Icon of={Check} />
              </IconButton>
            )}
            <IconButton size="sm" label={t(`messages.action.${visibility}`)} disabled={busy} onClick={changeVisibility}>
              <Icon of={visibility === 'unpublish' ? EyeOff : Globe} />
            </IconButton>
          </Quick>
        )}
        <Opening message={message} searched={searched} isOpen={isOpen} onToggle={onToggle} about={about}>
          <AnsweredPrompt prompt={message.prompt} />
          <MessageSound message={message} failure={t('player.failed')} />
          {message.imageUrl !== null && (
            <Photo url={message.imageUrl} caption={`${t('common.person.anonymous')} · ${dateTime(createdAt)}`} />
          )}
          {reply !== null && (
            <ReplyBubble
              reply={{ ...reply, content: <Marked text={reply.content} words={searched} /> }}
              owner={owner}
              premium={owner.isAdmin && owner.isVerified}
            />
          )}
          <ActionRow>
            <Action $tone="first" type="button" disabled={busy} onClick={onReply}>
              <Icon of={ReplyIcon} flip />
              {t('messages.action.reply')}
            </Action>
            {showsMarkRead && (
              <Action type="button" disabled={busy} aria-busy={pending === 'read' || undefined} onClick={markRead}>
                <Icon of={Check} />
                {t('messages.badge.read')}
              </Action>
            )}
            <Action type="button" disabled={busy} aria-busy={changesVisibility || undefined} onClick={changeVisibility}>
              <Icon of={visibility === 'unpublish' ? EyeOff : Globe} />
              {t(`messages.action.${visibility}`)}
            </Action>
            <DeleteAction isDisabled={busy} onDelete={onDelete} />
            <MessageMenu
              message={message}
              isPublic={isPublic && !changesVisibility}
              disabled={busy}
              hasWord
              onReply={onReply}
              onSetPublic={(next) => void actions.setPublic(id, next)}
              onDelete={onDelete}
            />
          </ActionRow>
        </Opening>
      </Shape>
    </Track>
  );
}

/** A message that the user sent. */
export function CompactSentCard({
  message,
  actions,
  searched,
  isPicking,
  isOpen,
  onToggle,
  onDelete,
}: CardProps & Folded & { message: SentMessage; isPicking: boolean }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { id, userId, recipient, reply } = message;
  const way = useKeptWays(accountHere()).find(({ messageId }) => messageId === id);
  const isHeard = canPlay(message);

  const about = (
    <>
      <StatusLetter status={sentStatusOf(message)} size={24} />
      <span>{t(`messages.status.${sentStatusOf(message)}`)}</span>
      <To>
        {recipient === null ? (
          t('messages.card.nobody')
        ) : (
          <>
            {t('messages.card.to')} <Handle username={recipient.username} />
          </>
        )}
      </To>
      <Time createdAt={message.createdAt} />
      {message.warnedAt !== null && (
        <New data-testid="warned">
          <Fact of={TriangleAlert} text={t('messages.badge.warned')} />
        </New>
      )}
    </>
  );

  return (
    <Shape state="sent" data-testid="message" data-message-id={id} data-state="sent">
      <Opening message={message} searched={searched} isOpen={isOpen} onToggle={onToggle} about={about}>
        <AnsweredPrompt prompt={message.prompt} />
        {isHeard ? <MessageSound message={message} failure={t('player.failed')} /> : <LockedSound message={message} />}
        {message.imageUrl !== null && <Photo url={message.imageUrl} caption={dateTime(message.createdAt)} />}
        {reply !== null && recipient !== null && (
          <ReplyBubble
            reply={{ ...reply, content: <Marked text={reply.content} words={searched} /> }}
            owner={{ id: userId, name: recipient.name, avatar: null }}
            premium={false}
          />
        )}
        {message.warnedAt !== null && <Warning>{t('messages.badge.warned')}</Warning>}
        {!isPicking && (
          <ActionRow>
            {way !== undefined && (
              <ActionLink to={way.path}>
                <Icon of={Undo2} flip />
                {t('wayBack.link')}
              </ActionLink>
            )}
            <DeleteAction isDisabled={actions.pending !== null} onDelete={onDelete} />
          </ActionRow>
        )}
      </Opening>
    </Shape>
  );
}

interface OpeningProps extends Folded {
  message: Message;
  searched: readonly string[];
  /** The line below the words. */
  about: ReactNode;
  children: ReactNode;
}

function Opening({ message, searched, isOpen, onToggle, about, children }: OpeningProps) {
  const { t } = useTranslation();
  const [isCut, setCut] = useState(false);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onToggle(currentTarget.open);
      }}
    >
      <Summary>
        <Glance message={message} searched={searched} isOpen={isOpen} onCut={setCut} />
        <Line>
          {about}
          {isCut && <Rest>{t(isOpen ? 'common.message.less' : 'common.message.more')}</Rest>}
        </Line>
      </Summary>
      {isOpen && <Opened>{children}</Opened>}
    </details>
  );
}

interface GlanceProps {
  message: Message;
  searched: readonly string[];
  isOpen: boolean;
  /** Called when it becomes known whether lines are hidden. */
  onCut?: (isCut: boolean) => void;
}

/** A message before it is opened: three lines, its picture small, its voice as a line. */
function Glance({ message, searched, isOpen, onCut }: GlanceProps) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const { content, imageUrl, audioUrl, audioDuration, audioPeaks } = message;
  return (
    <>
      {audioUrl !== null && (
        <Voice>
          <Icon of={Mic} />
          <span>{t('messages.card.voice')}</span>
          <Waveform bars={toBars(audioPeaks)} />
          {audioDuration !== null && <span>{duration(audioDuration)}</span>}
        </Voice>
      )}
      {(content !== '' || imageUrl !== null) && (
        <Beside>
          <Words isOpen={isOpen} onCut={onCut} data-state={'isRead' in message && message.isRead ? 'read' : 'unread'}>
            <Marked text={content} words={searched} />
          </Words>
          {imageUrl !== null && !isOpen && (
            <Thumb src={previewSrc(imageUrl)} alt={t('common.message.image')} width={52} height={52} loading="lazy" />
          )}
        </Beside>
      )}
    </>
  );
}

interface WordsProps {
  isOpen: boolean;
  onCut: ((isCut: boolean) => void) | undefined;
  'data-state': string;
  children: ReactNode;
}

function Words({ isOpen, onCut, children, ...rest }: WordsProps) {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const { current } = text;
    if (current === null || onCut === undefined || isOpen) return;
    // The browser calls it after it laid the page out, so that reading the heights costs nothing.
    const resized = new ResizeObserver(() => {
      onCut(current.scrollHeight > current.clientHeight + 1);
    });
    resized.observe(current);
    return () => {
      resized.disconnect();
    };
  }, [isOpen, onCut]);
  return (
    <Said ref={text} dir="auto" data-testid="message-text" $isOpen={isOpen} {...rest}>
      {children}
    </Said>
  );
}

function Time({ createdAt }: { createdAt: string }) {
  const shortTime = useShortTime();
  return (
    <time dateTime={createdAt} suppressHydrationWarning>
      {shortTime(createdAt)}
    </time>
  );
}

/** An icon with its word for screen readers. */
function Fact({ of, text, flip = false }: { of: LucideIcon; text: string; flip?: boolean }) {
  return (
    <>
      <Icon of={of} flip={flip} />
      <Spoken>{text}</Spoken>
    </>
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

function SwipeHint({ side, next, isRead }: { side: Side; next: 'publish' | 'unpublish'; isRead: boolean }) {
  const { t } = useTranslation();
  if (side === 'end' && isRead) return null;
  return (
    <Hint $side={side} aria-hidden="true">
      <Icon of={side === 'end' ? Check : next === 'publish' ? Globe : EyeOff} />
      {side === 'end' ? t('messages.badge.read') : t(`messages.action.${next}`)}
    </Hint>
  );
}

const Track = styled.div`
  position: relative;
`;

const Hint = styled.span<{ $side: Side }>`
  position: absolute;
  inset-block: 0;
  ${({ $side }) => ($side === 'end' ? 'inset-inline-start: 16px;' : 'inset-inline-end: 16px;')}
  display: flex;
  gap: 8px;
  align-items: center;
  font-weight: 700;
  color: ${({ $side }) => ($side === 'end' ? 'var(--mint-text)' : 'var(--violet-text)')};
`;

const Shape = styled(MessageShape)`
  padding: 0;
  border-radius: 18px;
  border-end-start-radius: 6px;
  box-shadow: none;
  /* Fingers that move along the line are ours, the others scroll. */
  touch-action: pan-y pinch-zoom;
  > svg:first-child {
    inline-size: 50px;
    block-size: 13.2px;
    inset-inline-end: 18px;
  }
`;

const Summary = styled.summary`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 3px;
  padding: 16px 20px 8px;
  border-radius: inherit;
  list-style: none;
  cursor: pointer;
  &::-webkit-details-marker {
    display: none;
  }
  &:focus-visible {
    outline-offset: -3px;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 13px 16px 6px;
  }
`;

const Beside = styled.span`
  display: flex;
  gap: 12px;
  align-items: center;
`;

const Said = styled.span<{ $isOpen: boolean }>`
  flex: 1;
  min-inline-size: 0;
  ${({ $isOpen }) =>
    $isOpen
      ? 'display: block;'
      : `display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;`}
  ${textSize('17.5px', '15.5px')}
  line-height: 1.486;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
  text-align: start;
  :lang(en) & {
    line-height: 1.549;
  }
  &[data-state='unread'] {
    font-weight: 500;
  }
`;

const Thumb = styled.img`
  inline-size: 52px;
  block-size: 52px;
  object-fit: cover;
  border-radius: 12px;
  border-end-start-radius: 4px;
  background: var(--sunken);
  flex: none;
`;

const Voice = styled.span`
  display: flex;
  gap: 10px;
  align-items: center;
  ${textSize('17.5px', '15.5px')}
  line-height: 26px;
  svg {
    color: var(--violet-text);
  }
  [data-part='wave'] {
    block-size: 22px;
    max-inline-size: 150px;
  }
`;

const Line = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 0 8px;
  align-items: center;
  min-block-size: 28px;
  color: var(--ink-3);
  ${textSize('14.5px', '13px')}
  line-height: 20px;
  > svg:not([data-part], [data-letter]) {
    inline-size: 15px;
    block-size: 15px;
  }
`;

const New = styled.span`
  color: var(--rose-text);
  font-weight: 700;
  svg {
    inline-size: 15px;
    block-size: 15px;
  }
`;

const To = styled.span`
  color: var(--ink-2);
  font-weight: 700;
  min-inline-size: 0;
  overflow: hidden;
  text-overflow: ellipsis;
`;

const Spoken = styled.span`
  ${visuallyHidden}
`;

const Rest = styled.span`
  margin-inline-start: auto;
  color: var(--violet-text);
  font-weight: 700;
  ${({ theme }) => theme.media.phone} {
    margin-inline-start: auto;
  }
`;

const Opened = styled.div`
  padding: 0 20px 10px;
  ${({ theme }) => theme.media.phone} {
    padding: 0 16px 8px;
  }
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

/** With a mouse or the keyboard three of the actions come to the line's end. The press still opens the rest. */
const Quick = styled.div`
  display: none;
  @media (min-width: 768px) {
    ${Shape}:is(:hover, :focus-within) > & {
      display: flex;
      gap: 2px;
      position: absolute;
      inset-block-end: 3px;
      inset-inline-end: 10px;
      padding-inline-start: 8px;
      background: var(--surface);
      z-index: 1;
    }
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
`;

const PickedRow = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 3px;
  min-inline-size: 0;
  padding: 13px 4px 6px;
  padding-inline-end: 16px;
`;
