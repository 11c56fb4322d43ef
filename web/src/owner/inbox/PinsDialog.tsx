import { LIMITS } from '@najwa/proto/http/client';
import { ArrowDown, ArrowUp, PinOff, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { FACTS_GAP, Button, Callout, Dialog, DialogActions, Icon, IconButton, useOutcome } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isChangedElsewhere, type Pins, useLazyGetPinnedQuery, usePinMessagesMutation } from './api.js';
import type { Message } from '../../shared/message/index.js';

interface Props {
  pins: Pins;
  waiting: Message | null;
  onClose: () => void;
}

type Move = 'up' | 'down' | 'unpin';

/** Saves on "Done" only. */
export function PinsDialog({ pins: found, waiting, onClose }: Props) {
  const { t } = useTranslation();
  const { number, duration } = useFormats();
  const say = useOutcome();
  const [{ pinned: pins, tag }, setPins] = useState(found);
  const [moved, setMoved] = useState<{ id: number; move: Move } | null>(null);
  const [read] = useLazyGetPinnedQuery();
  const [pin, { isLoading }] = usePinMessagesMutation();
  const list = useRef<HTMLOListElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  const isWaiting = waiting !== null && pins.every(({ id }) => id !== waiting.id);

  // A button that moves or disappears with its row loses the focus.
  useEffect(() => {
    if (moved === null) return;
    const row = list.current?.querySelector(`[data-pin="${String(moved.id)}"]`);
    const button =
      row?.querySelector<HTMLElement>(`[data-move="${moved.move}"]:enabled`) ??
      row?.querySelector<HTMLElement>('button:enabled') ??
      done.current;
    button?.focus();
  }, [moved, pins]);

  const change = (place: number, move: Move) => {
    const next = [...pins];
    const [message] = next.splice(place, 1);
    if (message === undefined) return;
    if (move !== 'unpin') next.splice(move === 'up' ? place - 1 : place + 1, 0, message);
    else if (isWaiting) next.push(waiting);
    setPins({ pinned: next, tag });
    setMoved({ id: move === 'unpin' ? (next[Math.min(place, next.length - 1)]?.id ?? 0) : message.id, move });
  };

  const save = async () => {
    const { error } = await pin({ ids: pins.map(({ id }) => id), tag });
    if (error === undefined) {
      onClose();
      return;
    }
    if (isChangedElsewhere(error)) {
      const { data } = await read();
      if (data !== undefined) setPins(data);
    }
    say.failed(t('messages.pin.failed'), error);
  };

  return (
    <Dialog
      open
      title={t('messages.pin.title')}
      description={t('messages.pin.text')}
      onClose={isLoading ? () => undefined : onClose}
    >
      {isWaiting && pins.length === LIMITS.pinned && (
        <Callout tone="gold" icon={TriangleAlert} title={t('messages.pin.full')} text={t('messages.pin.fullText')} />
      )}
      <List ref={list}>
        {pins.map(({ id, content, audioDuration }, place) => (
          <li key={id} data-pin={id}>
            <span>{number(place + 1)}</span>
            <p dir="auto">
              {content === '' ? `${t('messages.card.voice')}${FACTS_GAP}${duration(audioDuration ?? 0)}` : content}
            </p>
            {(
              [
                ['up', ArrowUp, place === 0],
                ['down', ArrowDown, place === pins.length - 1],
                ['unpin', PinOff, false],
              ] as const
            ).map(([move, icon, isOff]) => (
              <IconButton
                key={move}
                label={t(`messages.pin.${move}`)}
                data-move={move}
                disabled={isOff || isLoading}
                onClick={() => change(place, move)}
              >
                <Icon of={icon} />
              </IconButton>
            ))}
          </li>
        ))}
      </List>
      <DialogActions>
        <Button
          ref={done}
          variant="primary"
          busy={isLoading ? t('messages.pin.done') : undefined}
          onClick={() => void save()}
        >
          {t('messages.pin.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const List = styled.ol`
  list-style: none;
  li {
    display: flex;
    gap: 4px;
    align-items: center;
    padding-block: 8px;
    & + li {
      border-block-start: 1px solid var(--line);
    }
    > span {
      min-inline-size: 24px;
      color: var(--ink-2);
    }
    p {
      flex: 1;
      min-inline-size: 0;
      overflow-wrap: anywhere;
      margin-inline-end: 8px;
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 3;
      overflow: hidden;
    }
    button:disabled {
      opacity: 0.35;
    }
  }
`;
