import { LIMITS } from '@najwa/proto/http/client';
import { useState } from 'react';
import { useOutcome } from '../../ui/index.js';
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
  const say = useOutcome();
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
      say.failed(t('messages.pin.failed'), error);
    }
  };

  return {
    ordering,
    endOrdering: () => setOrdering(null),
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
          say.done(t('messages.pin.pinned'));
        }
      }),
    unpin: () =>
      run(async ({ pinned, tag }) => {
        await pin({ ids: pinned.flatMap(({ id }) => (id === message.id ? [] : [id])), tag }).unwrap();
        say.done(t('messages.pin.unpinned'));
      }),
  };
}
