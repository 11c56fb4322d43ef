import { Image, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ConfirmDialog, Icon, UserText, useToast } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isApiError } from '../../api/api-error.js';
import {
  useDeleteConversationMutation,
  useDeleteConversationsMutation,
  useGetConversationsInfiniteQuery,
} from './api.js';
import { ConversationDetail } from './ConversationDetail.js';
import { Fact, ListDetail, PaneNote, PaneRow, type RowState, usePagedList, useSelected } from './kit/index.js';
import { BotBadge, useAskerName } from './message-parts.js';
import type { Conversation } from './types.js';

function ConversationRow({ conversation, ...row }: RowState & { conversation: Conversation }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const asker = useAskerName(conversation);
  return (
    <PaneRow
      {...row}
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
    />
  );
}

type Target = number | 'all';

const isAlreadyGone = (error: unknown) => isApiError(error) && error.code === 'not_found';

function useDeleteConversations() {
  const { t } = useTranslation();
  const toast = useToast();
  const [target, setTarget] = useState<Target | null>(null);
  const [removeOne, one] = useDeleteConversationMutation();
  const [removeAll, all] = useDeleteConversationsMutation();

  return {
    target,
    pending: one.isLoading || all.isLoading,
    ask: setTarget,
    cancel: () => setTarget(null),
    confirm: async (onDone: () => void) => {
      if (target === null) return;
      const { error } = target === 'all' ? await removeAll() : await removeOne(target);
      if (error === undefined || isAlreadyGone(error)) {
        setTarget(null);
        onDone();
        toast({ variant: 'success', title: t('admin.remove.done') });
      } else {
        const text = t(target === 'all' ? 'admin.remove.allFailed' : 'admin.remove.oneFailed');
        toast({ variant: 'destructive', title: t('admin.remove.failed'), text });
      }
    },
  };
}

export function ChatbotTab() {
  const { t } = useTranslation();
  const list = usePagedList(useGetConversationsInfiniteQuery());
  const selected = useSelected(list);
  const removal = useDeleteConversations();

  const texts =
    removal.target === 'all'
      ? {
          title: t('admin.remove.allTitle'),
          text: list.total === null ? t('admin.remove.allText') : t('admin.remove.countText', { count: list.total }),
        }
      : { title: t('admin.remove.oneTitle'), text: t('admin.remove.oneText') };

  return (
    <>
      <ListDetail
        title={t('admin.chatbot.title')}
        list={list}
        selected={selected}
        action={
          <Button
            variant="dangerGhost"
            size="sm"
            disabled={list.items === undefined || list.items.length === 0}
            onClick={() => removal.ask('all')}
          >
            <Icon of={Trash2} />
            {t('admin.chatbot.deleteAll')}
          </Button>
        }
        failed={t('admin.chatbot.failed')}
        empty={<PaneNote title={t('admin.chatbot.empty')} text={t('admin.chatbot.emptyText')} />}
        row={(conversation, row) => <ConversationRow conversation={conversation} {...row} />}
        detail={(conversation) => (
          <ConversationDetail conversation={conversation} onDelete={() => removal.ask(conversation.id)} />
        )}
        prompt={{ title: t('admin.chatbot.choose'), text: t('admin.chatbot.chooseText') }}
      />
      <ConfirmDialog
        open={removal.target !== null}
        {...texts}
        confirm={t('admin.remove.confirm')}
        icon={Trash2}
        busy={removal.pending ? t('admin.remove.pending') : undefined}
        onConfirm={() => {
          void removal.confirm(selected.clear);
        }}
        onCancel={removal.cancel}
      />
    </>
  );
}
