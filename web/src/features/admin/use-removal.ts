import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../app/api-error.js';
import { useToast } from '../../components/index.js';
import { useDeleteConversationMutation, useDeleteConversationsMutation } from './api.js';

/** A conversation id, or all conversations. */
type Target = number | 'all';

/** A conversation that is already gone counts as deleted. */
const isGone = (error: unknown) => isApiError(error) && error.code === 'not_found';

/** Deletes conversations after a confirmation. */
export function useRemoval() {
  const { t } = useTranslation();
  const toast = useToast();
  const [asking, setAsking] = useState<Target | null>(null);
  const [removeOne, one] = useDeleteConversationMutation();
  const [removeAll, all] = useDeleteConversationsMutation();

  return {
    asking,
    pending: one.isLoading || all.isLoading,
    ask: setAsking,
    cancel: () => {
      setAsking(null);
    },
    confirm: async (onDone: () => void) => {
      if (asking === null) return;
      const { error } = asking === 'all' ? await removeAll() : await removeOne(asking);
      if (error === undefined || isGone(error)) {
        setAsking(null);
        onDone();
        toast({ variant: 'success', title: t('admin.remove.done') });
      } else {
        toast({
          variant: 'destructive',
          title: t('admin.remove.failed'),
          text: t(asking === 'all' ? 'admin.remove.allFailed' : 'admin.remove.oneFailed'),
        });
      }
    },
  };
}
