import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ConfirmDialog, Icon } from '../../components/index.js';
import { useGetConversationsInfiniteQuery } from './api.js';
import { ConversationDetail } from './ConversationDetail.js';
import { ConversationRow } from './ConversationRow.js';
import { usePagedList } from './use-paged-list.js';
import { PaneRows } from './PaneRows.js';
import { PaneNote, Panes } from './Panes.js';
import { useRemoval } from './use-removal.js';

/** Conversations with the assistant. */
export function ChatbotTab() {
  const { t } = useTranslation();
  const list = usePagedList(useGetConversationsInfiniteQuery());
  const [selected, setSelected] = useState<number | null>(null);
  const removal = useRemoval();
  const conversation = list.items?.find(({ id }) => id === selected);

  const clear = () => {
    setSelected(null);
  };

  const texts =
    removal.asking === 'all'
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
        open={removal.asking !== null}
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
