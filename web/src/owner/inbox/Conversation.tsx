import { ArrowLeft, CircleSlash } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { useLive } from '../../shared/live/index.js';
import { type Message, WhoseTurn } from '../../shared/message/index.js';
import { useGetReceivingQuery } from '../../shared/receiving/index.js';
import { textSize, tiny } from '../../theme/index.js';
import {
  Button,
  ConfirmDialog,
  Icon,
  IconButtonBase,
  MenuItem,
  MessageSkeletons,
  Ornament,
  overlay,
  panel,
  Stack,
  useCloseRequest,
  useFocusReturn,
  useOutcome,
} from '../../ui/index.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { useChangeMessagesMutation, useEndConversationMutation } from './api.js';
import { Answer, Turn } from './conversation-parts.js';
import { useGetConversationInfiniteQuery } from './list-cache.js';
import { SenderMenu } from './MessageMenu.js';
import type { MessageActions } from './use-message-actions.js';

interface TalkProps {
  message: Message;
  /** By a search: it opens in its place. */
  isFound: boolean;
  searched: readonly string[];
  account: number;
  actions: Pick<MessageActions, 'pending' | 'removeAll'>;
  onClose: () => void;
  /** In the reading pane: what can be done with it, with the item that ends it. */
  menu?: (end: ReactNode) => ReactNode;
}

interface Props extends Omit<TalkProps, 'menu'> {
  onOpenerGone: () => void;
}

/** Open while rendered. */
export function Conversation({ onOpenerGone, ...props }: Props) {
  const { onClose } = props;
  const returnFocus = useFocusReturn(true, onOpenerGone);
  useCloseRequest(true, onClose);
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Overlay>
          <Panel data-sheet aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
            <Talk {...props} />
          </Panel>
        </Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const NONE: readonly number[] = [];

function useTurns({ id, conversationId }: Message) {
  const list = useGetConversationInfiniteQuery({ id, first: conversationId ?? id });
  const pages = list.data?.pages;
  const messages = useMemo(() => [...(pages ?? [])].reverse().flatMap(({ items }) => items), [pages]);

  const live = useLive();
  const { arrived = NONE, changed = NONE, isBehind = false } = live ?? {};
  const follow = useEffectEvent(() => {
    if (isBehind || arrived.length > 0 || changed.length > 0) void list.refetch();
  });
  useEffect(() => {
    follow();
  }, [arrived, changed, isBehind]);

  const [change] = useChangeMessagesMutation();
  const unread = messages.flatMap((each) => (each.isRead ? [] : each.id));
  const unreadIds = unread.join();
  const read = useEffectEvent(() => {
    if (unread.length > 0) void change({ ids: unread, action: 'read' });
  });
  useEffect(() => {
    read();
  }, [unreadIds]);

  return { list, messages, beginning: pages?.[0]?.beginning ?? messages[0] };
}

type Turns = ReturnType<typeof useTurns>;

/** Scrolls to the found message, else to the end. @returns the ref of the turns */
function usePlaceInTurns({ message, isFound, menu }: TalkProps, { list, messages }: Turns) {
  const turns = useRef<HTMLDivElement>(null);
  const isThere = messages.length > 0;
  const isMissing = isFound && list.hasNextPage && !messages.some(({ id }) => id === message.id);
  const place = useEffectEvent(() => {
    if (!isThere) return;
    if (isMissing) {
      void list.fetchNextPage();
      return;
    }
    const found = turns.current?.querySelector<HTMLElement>(`[data-turn="${isFound ? String(message.id) : 'end'}"]`);
    if (menu === undefined) found?.focus({ preventScroll: true });
    if (isFound || menu !== undefined) found?.scrollIntoView({ block: isFound ? 'center' : 'nearest' });
    else turns.current?.scrollIntoView({ block: 'end' });
  });
  const searchedPages = isMissing ? list.data?.pages.length : null;
  useEffect(() => {
    place();
  }, [isThere, searchedPages]);
  return turns;
}

export function Talk(props: TalkProps) {
  const { message, isFound, searched, account, actions, onClose, menu } = props;
  const { t } = useTranslation();
  const say = useOutcome();
  const found = useTurns(message);
  const { list, messages, beginning = message } = found;
  const turns = usePlaceInTurns(props, found);
  const [asking, setAsking] = useState<'end' | 'remove' | null>(null);
  const [end, ending] = useEndConversationMutation();
  const last = messages.at(-1);
  const { data: receiving } = useGetReceivingQuery();
  const hasEnded = last?.hasEnded === true;
  const answered = receiving?.conversations === false ? 'ended' : 'waiting';
  const state = hasEnded ? 'ended' : last?.reply === null ? 'yours' : answered;

  const stopAsking = () => setAsking(null);
  const confirm = async () => {
    if (asking === 'remove') {
      if (await actions.removeAll(message.id)) onClose();
      return;
    }
    const { error } = await end({ id: message.id, shown: messages.map(({ id }) => id) });
    stopAsking();
    if (error !== undefined) say.failed(t('messages.conversation.end.failed', { text: say.errors.text(error) }));
  };
  const isEnding = asking === 'end';
  const endItem = (
    <MenuItem disabled={hasEnded} onSelect={() => setAsking('end')}>
      <Icon of={CircleSlash} />
      {t('messages.conversation.end.action')}
    </MenuItem>
  );

  return (
    <>
      <TalkHead beginning={beginning} isAlone={menu === undefined}>
        {menu?.(endItem) ?? (
          <SenderMenu
            message={last ?? message}
            label={t('messages.conversation.more')}
            isBusy={actions.pending !== null || ending.isLoading}
            remove={t('messages.conversation.remove.action')}
            onDelete={() => setAsking('remove')}
          >
            {endItem}
          </SenderMenu>
        )}
      </TalkHead>
      {last === undefined && list.isError && (
        <LoadFailure error={list.error} retrying={list.isFetching} onRetry={() => void list.refetch()} />
      )}
      {last === undefined && !list.isError && <MessageSkeletons />}
      {last !== undefined && (
        <Stack $gap={10} ref={turns}>
          {list.hasNextPage && (
            <Button
              block
              busy={list.isFetchingNextPage ? t('common.action.loading') : undefined}
              onClick={() => void list.fetchNextPage()}
            >
              {t('messages.month.before')}
            </Button>
          )}
          {messages.map((each, index) => (
            <Turn
              key={each.id}
              message={each}
              isFirst={index === 0 && !list.hasNextPage}
              searched={isFound ? searched : []}
            />
          ))}
          <WhoseTurn data-turn="end" whose={state} />
          {state === 'yours' && <Answer key={last.id} message={last} account={account} />}
          <Hint>{t(`messages.conversation.hint.${state}`)}</Hint>
        </Stack>
      )}
      <ConfirmDialog
        open={asking !== null}
        title={t(`messages.conversation.${isEnding ? 'end' : 'remove'}.title`)}
        text={t(`messages.conversation.${isEnding ? 'end' : 'remove'}.text`)}
        confirm={t(isEnding ? 'messages.conversation.end.confirm' : 'messages.remove.confirm')}
        busy={
          ending.isLoading
            ? t('messages.conversation.end.pending')
            : actions.pending?.action === 'delete'
              ? t('messages.remove.pending')
              : undefined
        }
        onConfirm={() => void confirm()}
        onCancel={stopAsking}
      />
    </>
  );
}

/** @param props.isAlone in a dialog of its own */
function TalkHead({ beginning, isAlone, children }: { beginning: Message; isAlone: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const name = t('common.person.anonymous');
  return (
    <Head>
      {isAlone && (
        <Dialog.Close asChild>
          <IconButtonBase aria-label={t('messages.conversation.back')}>
            <Icon of={ArrowLeft} flip />
          </IconButtonBase>
        </Dialog.Close>
      )}
      <Emblem bits={beginning.ornament} size={48} />
      <div>
        {isAlone ? <Dialog.Title>{name}</Dialog.Title> : <h2>{name}</h2>}
        <p>
          {beginning.isPublic && <span>{t('messages.badge.published')}</span>}
          <span>{t('messages.conversation.since', { date: date(beginning.createdAt) })}</span>
        </p>
      </div>
      {children}
    </Head>
  );
}

const Overlay = styled(Dialog.Overlay)`
  ${overlay}
  ${({ theme }) => theme.media.phone} {
    place-items: stretch;
  }
`;

const Panel = styled(Dialog.Content)`
  ${panel}
  background: var(--paper);
  max-inline-size: 720px;
  align-content: start;
  gap: 12px;
  padding: 0 24px 24px;
  ${({ theme }) => theme.media.phone} {
    border-radius: 0;
    padding: 0 16px 20px;
  }
`;

const Head = styled.header`
  position: sticky;
  inset-block-start: 0;
  z-index: 1;
  display: flex;
  gap: 12px;
  align-items: center;
  min-block-size: 56px;
  padding-block: 8px;
  margin-inline: -8px;
  border-radius: inherit;
  background: inherit;
  > div {
    flex: 1;
    min-inline-size: 0;
  }
  h2 {
    ${textSize('19px', '17px')}
    line-height: 1.4;
  }
  p {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    color: var(--ink-3);
    ${tiny}
  }
`;

const Emblem = styled(Ornament)`
  stroke: var(--violet-text);
`;

const Hint = styled.p`
  color: var(--ink-3);
  ${tiny}
`;
