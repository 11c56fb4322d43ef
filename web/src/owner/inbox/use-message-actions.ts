import { useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { useOutcome } from '../../ui/index.js';
import {
  useChangeMessagesMutation,
  useDeleteMessageMutation,
  useDeleteReceivedMutation,
  useUpdateMessageMutation,
} from './api.js';
import type { Message } from '../../shared/message/index.js';
import type { Entry } from './types.js';
import type { useUndo } from './use-undo.js';

export type PendingAction = 'read' | 'publish' | 'unpublish' | 'delete';

export interface MessageActions {
  pending: { id: number; action: PendingAction } | null;
  /** A gesture can be made unintended, so it has an undo. */
  markRead: (id: number, isGesture?: boolean) => Promise<void>;
  setPublic: (id: number, isPublic: boolean) => Promise<void>;
  share: (message: Message) => void;
  /** Resolves to true if deleted. Received messages can be restored. */
  remove: (entry: Entry) => Promise<boolean>;
  /** All of the conversation that a message belongs to. */
  removeAll: (id: number) => Promise<boolean>;
}

export function useMessageActions(
  offerUndo: ReturnType<typeof useUndo>,
  share: MessageActions['share'],
): MessageActions {
  const { t } = useTranslation();
  const say = useOutcome();
  const [pending, setPending] = useState<MessageActions['pending']>(null);
  const [update] = useUpdateMessageMutation();
  const [change] = useChangeMessagesMutation();
  const [remove] = useDeleteMessageMutation();
  const [removeReceived] = useDeleteReceivedMutation();

  const tellUpdated = () => say.done(t('messages.update.done'));

  const runAction = async <Answer>(
    id: number,
    action: PendingAction,
    change: () => Promise<Answer>,
    tellDone: (answer: Answer) => void = tellUpdated,
  ) => {
    setPending({ id, action });
    try {
      tellDone(await change());
      return true;
    } catch (error) {
      const text = say.errors.message(error);
      say.failed(action === 'delete' ? t('messages.remove.failed', { text }) : t('messages.update.failed', { text }));
      return false;
    } finally {
      setPending(null);
    }
  };

  return {
    pending,
    share,
    markRead: async (id, isGesture = false) => {
      if (!isGesture) await runAction(id, 'read', () => update({ id, change: { isRead: true } }).unwrap());
      else
        await runAction(
          id,
          'read',
          () => change({ ids: [id], action: 'read' }).unwrap(),
          (changed) => offerUndo(changed, 'read'),
        );
    },
    setPublic: async (id, isPublic) => {
      await runAction(id, isPublic ? 'publish' : 'unpublish', () => update({ id, change: { isPublic } }).unwrap());
    },
    removeAll: (id) => runAction(id, 'delete', () => change({ wholes: [id], action: 'delete' }).unwrap(), offerUndo),
    remove: ({ kind, message: { id } }) =>
      kind === 'received'
        ? runAction(id, 'delete', () => removeReceived(id).unwrap(), offerUndo)
        : runAction(
            id,
            'delete',
            () => remove(id).unwrap(),
            () => say.done(t('messages.remove.done')),
          ),
  };
}
