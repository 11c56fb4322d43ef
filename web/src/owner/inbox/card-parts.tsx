import { PencilLine, Undo2 } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Checkbox, Icon } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useSavedWaysBack } from '../../lib/kept-ways.js';
import { accountHere } from '../../lib/signed-in.js';
import { AnsweredPrompt, LockedSound, type Message, MessageMedia, ReplyBubble } from '../../shared/message/index.js';
import { Marked } from './search-parts.js';
import type { SentMessage } from './types.js';
import type { MessageActions } from './use-message-actions.js';

export type CardActions = Pick<MessageActions, 'pending' | 'markRead' | 'setPublic' | 'share'>;

export interface Owner {
  id: number;
  name: string;
  avatar: string | null;
  isAdmin: boolean;
  isVerified: boolean;
}

interface CardProps {
  actions: CardActions;
  searched: readonly string[];
  onDelete: () => void;
}

interface Picking {
  isPicked: boolean;
  /** @param isRange selects all since the last pick */
  onPick: (isRange: boolean) => void;
}

export interface ReceivedProps extends CardProps {
  message: Message;
  owner: Owner;
  /** How many are new among the messages that the card stands for. */
  fresh: number;
  picking?: Picking | undefined;
  onReply: () => void;
  /** Only for a message of a conversation. */
  onConverse: (() => void) | undefined;
}

export interface SentProps extends CardProps {
  message: SentMessage;
  isPicking: boolean;
}

export const cardOf = ({ id }: { id: number }, state: 'read' | 'unread' | 'sent') =>
  ({ state, 'data-testid': 'message', 'data-message-id': id, 'data-state': state }) as const;

export const stateOf = ({ isRead }: Message) => (isRead ? 'read' : 'unread');

export function useReceivedActions(message: Message, { pending: current, markRead, setPublic, share }: CardActions) {
  const { id, isRead, isPublic } = message;
  const pending = current?.id === id ? current.action : null;
  const isChanging = pending === 'publish' || pending === 'unpublish';
  return {
    isBusy: current !== null,
    // The card updates optimistically; the pressed button keeps its label until the answer.
    showsMarkRead: !isRead || pending === 'read',
    isMarking: pending === 'read',
    visibility: isChanging ? pending : isPublic ? ('unpublish' as const) : ('publish' as const),
    isChanging,
    /** Can be pinned and shared as a picture. */
    isPublished: isPublic && !isChanging,
    markRead: (): void => void markRead(id),
    markReadBySwipe: (): void => void markRead(id, true),
    changeVisibility: (): void => void setPublic(id, !isPublic),
    share: (): void => share(message),
  };
}

export type ReceivedActions = ReturnType<typeof useReceivedActions>;

interface ContentProps {
  message: Message;
  searched: readonly string[];
  media: ReactNode;
  replier: { owner: Pick<Owner, 'id' | 'name' | 'avatar'>; premium: boolean } | null;
  children?: ReactNode;
}

function Content({ message: { prompt, reply }, searched, media, replier, children }: ContentProps) {
  return (
    <>
      <AnsweredPrompt prompt={prompt} />
      {children}
      {media}
      {reply !== null && replier !== null && (
        <ReplyBubble reply={{ ...reply, content: <Marked text={reply.content} words={searched} /> }} {...replier} />
      )}
    </>
  );
}

export function ReceivedContent({
  message,
  owner,
  searched,
  children,
}: Pick<ReceivedProps, 'message' | 'owner' | 'searched'> & { children?: ReactNode }) {
  return (
    <Content
      message={message}
      searched={searched}
      media={<MessageMedia message={message} />}
      replier={{ owner, premium: owner.isAdmin && owner.isVerified }}
    >
      {children}
    </Content>
  );
}

/** A private voice message plays for its recipient only, who may also be its sender. */
const canPlay = ({ audioUrl, isPublic, userId, senderUserId }: SentMessage) =>
  audioUrl === null || isPublic || userId === senderUserId;

export function SentContent({
  message,
  searched,
  children,
}: Pick<SentProps, 'message' | 'searched'> & { children?: ReactNode }) {
  const { userId, recipient } = message;
  return (
    <Content
      message={message}
      searched={searched}
      media={
        <>
          {!canPlay(message) && <LockedSound message={message} />}
          <MessageMedia message={canPlay(message) ? message : { ...message, audioUrl: null }} />
        </>
      }
      replier={
        recipient === null ? null : { owner: { id: userId, name: recipient.name, avatar: null }, premium: false }
      }
    >
      {children}
    </Content>
  );
}

/** Leads to the conversation of a sent message: by its way back where this device has it, which shows all of it. */
export function useSentLink({ id, canWrite }: SentMessage) {
  const { t } = useTranslation();
  const way = useSavedWaysBack(accountHere()).find(({ messageId }) => messageId === id);
  const path = way?.path ?? (canWrite ? `/sent?id=${String(id)}` : undefined);
  if (path === undefined) return undefined;
  return canWrite
    ? { path, icon: <Icon of={PencilLine} />, text: t('wayBack.talk.next') }
    : { path, icon: <Icon of={Undo2} flip />, text: t('wayBack.link') };
}

export function PickBox({ isPicked, onPick }: Picking) {
  const { t } = useTranslation();
  return (
    <PickPlace>
      <Checkbox checked={isPicked} aria-label={t('messages.select.one')} onClick={({ shiftKey }) => onPick(shiftKey)} />
    </PickPlace>
  );
}

export const PICKED = {
  '--edge': 'var(--violet)',
  borderColor: 'var(--violet)',
  boxShadow: 'inset 0 0 0 1px var(--violet)',
  background: 'color-mix(in srgb, var(--violet-tint) 42%, var(--surface))',
} as CSSProperties;

const PickPlace = styled.span`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  margin-inline: -10px 4px;
  flex: none;
`;
