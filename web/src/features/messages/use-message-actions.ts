import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../app/use-error-text.js';
import { useToast } from '../../components/index.js';
import { useDeleteMessageMutation, useUpdateMessageMutation } from './api.js';

export type PendingAction = 'read' | 'publish' | 'unpublish' | 'delete';

export interface MessageActions {
  /** The change in progress, if any. All other actions are disabled until it ends. */
  pending: { id: number; action: PendingAction } | null;
  markRead: (id: number) => Promise<void>;
  setPublic: (id: number, isPublic: boolean) => Promise<void>;
  /** Resolves to true if the message was deleted. */
  remove: (id: number) => Promise<boolean>;
}

export function useMessageActions(): MessageActions {
  const { t } = useTranslation();
  const toast = useToast();
  const errors = useErrorText();
  const [pending, setPending] = useState<MessageActions['pending']>(null);
  const [update] = useUpdateMessageMutation();
  const [remove] = useDeleteMessageMutation();

  const runAction = async (id: number, action: PendingAction, change: () => Promise<unknown>) => {
    setPending({ id, action });
    try {
      await change();
      toast({ variant: 'success', title: t(action === 'delete' ? 'messages.remove.done' : 'messages.update.done') });
      return true;
    } catch (error) {
      const text = errors.message(error);
      toast({
        variant: 'destructive',
        title: action === 'delete' ? t('messages.remove.failed', { text }) : t('messages.update.failed', { text }),
      });
      return false;
    } finally {
      setPending(null);
    }
  };

  return {
    pending,
    markRead: async (id) => {
      await runAction(id, 'read', () => update({ id, change: { isRead: true } }).unwrap());
    },
    setPublic: async (id, isPublic) => {
      await runAction(id, isPublic ? 'publish' : 'unpublish', () => update({ id, change: { isPublic } }).unwrap());
    },
    remove: (id) => runAction(id, 'delete', () => remove(id).unwrap()),
  };
}
