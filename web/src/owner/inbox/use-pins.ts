import { LIMITS } from '@najwa/proto/http/client';
import { useState } from 'react';
import { useErrorText } from '../../api/use-error-text.js';
import { useToast } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { isChangedElsewhere, type Pins, useLazyGetPinnedQuery, usePinMessagesMutation } from './api.js';
import type { Message } from '../../shared/message/index.js';

interface Ordering {
  pins: Pins;
  waiting: Message | null;
}

/** Retries when another device pins at the same time. */
const MAX_TRIES = 3;

/** Reads the pins when needed: the list may not show them. */
export function usePins(message: Message) {
  const { t } = useTranslation();
  const toast = useToast();
  const errors = useErrorText();
  const [read] = useLazyGetPinnedQuery();
  const [pin] = usePinMessagesMutation();
  const [ordering, setOrdering] = useState<Ordering | null>(null);

  const run = async (change: (pins: Pins) => Promise<unknown>) => {
    const tryOnce = async (tries: number): Promise<void> => {
      const pins = await read().unwrap();
      try {
        await change(pins);
      } catch (error) {
        if (tries === MAX_TRIES || !isChangedElsewhere(error)) throw error;
        await tryOnce(tries + 1);
      }
    };
    try {
      await tryOnce(1);
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
      run((pins) => {
        setOrdering({ pins, waiting: null });
        return Promise.resolve();
      }),
    pin: () =>
      run(async (pins) => {
        const others = pins.pinned.filter(({ id }) => id !== message.id);
        if (others.length === LIMITS.pinned) setOrdering({ pins, waiting: message });
        else {
          await pin({ ids: [...others, message].map(({ id }) => id), tag: pins.tag }).unwrap();
          toast({ variant: 'success', title: t('messages.pin.pinned') });
        }
      }),
    unpin: () =>
      run(async ({ pinned, tag }) => {
        await pin({ ids: pinned.flatMap(({ id }) => (id === message.id ? [] : [id])), tag }).unwrap();
        toast({ variant: 'success', title: t('messages.pin.unpinned') });
      }),
  };
}
