import { Image, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ConfirmDialog, Icon, UserText, useToast } from '../../components/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isApiError } from '../../app/api-error.js';
import { BotBadge, useAskerName } from './detail-parts.js';
import { Fact, PaneRow, PaneRows } from './PaneRows.js';
import type { Conversation } from './types.js';
import {
  useDeleteConversationMutation,
  useDeleteConversationsMutation,
  useGetConversationsInfiniteQuery,
} from './api.js';
import { ConversationDetail } from './ConversationDetail.js';
import { usePagedList } from './use-paged-list.js';
import { PaneNote, Panes } from './Panes.js';

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
          <UserText>{asker}</UserText>
        </>
      }
      onSelect={onSelect}
    />
  );
}

/** A conversation id, or all conversations. */
type Target = number | 'all';

/** A conversation that is already gone counts as deleted. */
const isAlreadyGone = (error: unknown) => isApiError(error) && error.code === 'not_found';

/** Deletes conversations after a confirmation. */
export function useDeleteConversations() {
  const { t } = useTranslation();
  const toast = useToast();
  const [target, setTarget] = useState<Target | null>(null);
  const [removeOne, one] = useDeleteConversationMutation();
  const [removeAll, all] = useDeleteConversationsMutation();

  return {
    target,
    pending: one.isLoading || all.isLoading,
    ask: setTarget,
    cancel: () => {
      setTarget(null);
    },
    confirm: async (onDone: () => void) => {
      if (target === null) return;
      const { error } = target === 'all' ? await removeAll() : await removeOne(target);
      if (error === undefined || isAlreadyGone(error)) {
        setTarget(null);
        onDone();
        toast({ variant: 'success', title: t('admin.remove.done') });
      } else {
        toast({
          variant: 'destructive',
          title: t('admin.remove.failed'),
          text: t(target === 'all' ? 'admin.remove.allFailed' : 'admin.remove.oneFailed'),
        });
      }
    },
  };
}

/** Conversations with the assistant. */
export function ChatbotTab() {
  const { t } = useTranslation();
  const list = usePagedList(useGetConversationsInfiniteQuery());
  const [selected, setSelected] = useState<number | null>(null);
  const removal = useDeleteConversations();
  const conversation = list.items?.find(({ id }) => id === selected);

  const clear = () => {
    setSelected(null);
  };

  const texts =
    removal.target === 'all'
      ? {
          title: t('admin.remove.allTitle'),
          text: list.total === null ? t('admin.remove.allText') : t('admin.remove.countText', { count: list.total }),
        }
      : { title: t('admin.remove.oneTitle'), text: t('admin.remove.oneText') };

  return (
    <>
      <Panes
        title={t('admin.chatbot.title')}
        list={list}
        action={
          <Button
            variant="dangerGhost"
            size="sm"
            disabled={list.items === undefined || list.items.length === 0}
            onClick={() => {
              removal.ask('all');
            }}
          >
            <Icon of={Trash2} />
            {t('admin.chatbot.deleteAll')}
          </Button>
        }
        rows={
          <PaneRows
            list={list}
            failed={t('admin.chatbot.failed')}
            empty={<PaneNote title={t('admin.chatbot.empty')} text={t('admin.chatbot.emptyText')} />}
          >
            {(item) => (
              <ConversationRow
                key={item.id}
                conversation={item}
                current={item.id === selected}
                onSelect={() => {
                  setSelected(item.id);
                }}
              />
            )}
          </PaneRows>
        }
        detail={
          conversation === undefined
            ? null
            : {
                id: conversation.id,
                content: (
                  <ConversationDetail
                    conversation={conversation}
                    onDelete={() => {
                      removal.ask(conversation.id);
                    }}
                  />
                ),
              }
        }
        prompt={{ title: t('admin.chatbot.choose'), text: t('admin.chatbot.chooseText') }}
        onBack={clear}
      />
      <ConfirmDialog
        open={removal.target !== null}
        {...texts}
        confirm={t('admin.remove.confirm')}
        icon={Trash2}
        busy={removal.pending ? t('admin.remove.pending') : undefined}
        onConfirm={() => {
          void removal.confirm(clear);
        }}
        onCancel={removal.cancel}
      />
    </>
  );
}
