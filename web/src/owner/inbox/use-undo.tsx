import { Check, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { Button, Icon, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { tab } from '../../lib/storage.js';
import { type BulkAction, type Changed, useUndoMessagesMutation } from './api.js';

type Offered = Extract<BulkAction, 'read' | 'delete'>;

/** In session storage, to survive a reload. */
interface KeptUndo extends Pick<Changed, 'undoTokens' | 'until'> {
  userId: number;
  action: Offered;
  count: number;
}

const timeLeft = ({ until }: KeptUndo): number => until - Date.now();

function readKept(userId: number): KeptUndo | null {
  const kept = tab.readJson('undo') as KeptUndo | null;
  return kept?.userId === userId && timeLeft(kept) > 0 ? kept : null;
}

/** Without storage the offer ends with the page. */
const keep = (undo: KeptUndo | null): void => {
  tab.write('undo', undo === null ? null : JSON.stringify(undo));
};

/** @returns shows the offer */
export function useUndo(userId: number) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [takeBack] = useUndoMessagesMutation();

  const undo = async (kept: KeptUndo) => {
    const { data, error } = await takeBack(kept.undoTokens);
    if (error !== undefined && !(isApiError(error) && error.code === 'undo_expired') && timeLeft(kept) > 0) {
      show(kept, say.errors.text(error));
      return;
    }
    keep(null);
    const isRemoval = kept.action !== 'read';
    const [title, text] =
      error === undefined
        ? [t(`messages.undo.${isRemoval ? 'done' : 'unread'}`), t('messages.undo.doneText', { count: data })]
        : [t('messages.undo.failed'), t('messages.undo.failedText')];
    say.toast({ variant: error === undefined ? 'success' : 'destructive', title, ...(isRemoval && { text }) });
  };

  const show = (kept: KeptUndo, failure?: string) => {
    const { action, count } = kept;
    const removed = count === 1 ? t('messages.remove.done') : t('messages.undo.title', { count });
    const done = action === 'read' ? t('messages.bulk.done.read', { count }) : removed;
    say.toast({
      ...(failure !== undefined && { variant: 'destructive' }),
      icon: action === 'read' ? Check : Trash2,
      title: failure ?? done,
      text: <Offer until={kept.until} onUndo={() => void undo(kept)} />,
      duration: timeLeft(kept),
    });
  };

  const showKept = useEffectEvent(() => {
    const kept = readKept(userId);
    if (kept !== null) show(kept);
  });
  useEffect(() => {
    showKept();
  }, []);

  return ({ done, undoTokens, until }: Changed, action: Offered = 'delete', failure?: string) => {
    if (done.length === 0) {
      const text = t('common.error.message_not_found');
      say.failed(t(`messages.${action === 'read' ? 'update' : 'remove'}.failed`, { text }));
      return;
    }
    const kept = { userId, undoTokens, action, count: done.length, until };
    keep(kept);
    show(kept, failure);
  };
}

function Offer({ until, onUndo }: { until: number; onUndo: () => void }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => Date.now());

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <Line>
      <Button size="sm" variant="primary" onClick={onUndo}>
        <Icon of={Undo2} flip />
        {t('messages.undo.action')}
      </Button>
      <span>{t('messages.undo.left', { count: Math.max(0, Math.ceil((until - now) / 1000)) })}</span>
    </Line>
  );
}

const Line = styled.span`
  display: flex;
  gap: 12px;
  align-items: center;
  margin-block-start: 6px;
`;
