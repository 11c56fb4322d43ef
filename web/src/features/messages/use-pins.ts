import { LIMITS } from '@najwa/proto/http/client';
import { useState } from 'react';
import { useErrorText } from '../../app/use-error-text.js';
import { useToast } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useLazyGetPinnedQuery, usePinMessagesMutation } from './pins-api.js';
import type { ReceivedMessage } from './types.js';

/** State of the dialog of pinned messages. */
interface Ordering {
  pinned: ReceivedMessage[];
  waiting: ReceivedMessage | null;
}

/** Pins and unpins a message. Which ones are pinned is read when it matters: the list may not show them. */
export function usePins(message: ReceivedMessage) {
  const { t } = useTranslation();
  const toast = useToast();
  const errors = useErrorText();
  const [read] = useLazyGetPinnedQuery();
  const [pin] = usePinMessagesMutation();
  const [ordering, setOrdering] = useState<Ordering | null>(null);

  const run = async (change: (pinned: ReceivedMessage[]) => Promise<unknown>) => {
    try {
      await change(await read().unwrap());
    } catch (error) {
      toast({ variant: 'destructive', title: t('messages.pin.failed'), text: errors.text(error) });
    }
  };

  return {
    ordering,
    endOrdering: () => {
      setOrdering(null);
    },
    order: () =>
      run((pinned) => {
        setOrdering({ pinned, waiting: null });
        return Promise.resolve();
      }),
    pin: () =>
      run(async (pinned) => {
        const others = pinned.filter(({ id }) => id !== message.id);
        if (others.length === LIMITS.pinned) setOrdering({ pinned, waiting: message });
        else {
          await pin([...others, message].map(({ id }) => id)).unwrap();
          toast({ variant: 'success', title: t('messages.pin.pinned') });
        }
      }),
    unpin: () =>
      run(async (pinned) => {
        await pin(pinned.flatMap(({ id }) => (id === message.id ? [] : [id]))).unwrap();
        toast({ variant: 'success', title: t('messages.pin.unpinned') });
      }),
  };
}
