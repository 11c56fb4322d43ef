import { Check, CircleAlert, Hourglass, WifiOff, X } from 'lucide-react';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { styled } from 'styled-components';
import { Link } from '../../ui/navigation.js';
import { Button, Glyph, Icon, IconButton, useToast } from '../../ui/index.js';
import { type TextKey, type Translate, useTranslation } from '../../i18n/index.js';
import { copyText } from '../../lib/copy-text.js';
import { sendNow } from '../../lib/outbox/page.js';
import { retryRefused, withdraw } from '../../lib/outbox/send.js';
import { type Delivered, removeDelivered, type Waiting } from '../../lib/outbox/store.js';
import { firstName, isolate, preview } from '../../lib/text.js';
import { small } from '../../theme/index.js';
import { useOutbox } from './use-outbox.js';

function subscribe(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

const useIsOffline = () =>
  useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );

interface Props {
  bandSlot?: HTMLElement | null;
  /** Called with the send button's label while offline, and without it afterwards. */
  onLineChange?: (send: ReactNode) => void;
  /** Called with whether anything waits or was delivered. */
  onWaitingChange?: (hasWaiting: boolean) => void;
}

export function Outbox({ bandSlot, onLineChange, onWaitingChange }: Props) {
  const { t } = useTranslation();
  const isOffline = useIsOffline();
  const { waiting, gone, isOwn } = useOutbox();

  useEffect(() => {
    onLineChange?.(
      isOffline ? (
        <>
          <Icon of={Hourglass} />
          {t('outbox.sendLater')}
        </>
      ) : undefined,
    );
  }, [onLineChange, isOffline, t]);

  const hasWaiting = waiting.length + gone.length > 0;
  useEffect(() => {
    onWaitingChange?.(hasWaiting);
  }, [onWaitingChange, hasWaiting]);

  const bands = (
    <>
      {isOffline && (
        <Band $tone="offline">
          <Icon of={WifiOff} />
          <p>{t('outbox.offline')}</p>
        </Band>
      )}
      {gone.filter(isOwn).map((message) => (
        <GoneBand key={message.key} message={message} />
      ))}
    </>
  );
  return (
    <>
      {bandSlot &&
        createPortal(
          <Region role="status" $isAbove>
            {bands}
          </Region>,
          bandSlot,
        )}
      <Region role="status" data-testid="outbox">
        {bandSlot === undefined && bands}
        {waiting.map((message) => (
          <WaitingCard key={message.key} message={message} isOwn={isOwn(message)} />
        ))}
      </Region>
    </>
  );
}

function GoneBand({ message: { key, recipient, way } }: { message: Delivered }) {
  const { t } = useTranslation();
  return (
    <Band $tone="sent">
      <Icon of={Check} />
      <p>{t('outbox.sent', { name: isolate(firstName(recipient.name)) })}</p>
      {way !== null && <Link to={way.path}>{t('outbox.wayBack')}</Link>}
      <IconButton label={t('common.action.close')} size="sm" onClick={() => void removeDelivered(key)}>
        <Icon of={X} size="sm" />
      </IconButton>
    </Band>
  );
}

const isVoice = ({ content }: Waiting) => 'audio' in content;
const textOf = ({ content }: Waiting) => ('audio' in content ? '' : content.content);

const isPromptGone = ({ state }: Waiting) => state.name === 'refused' && state.code === 'prompt_not_found';

const MAX_EXCERPT = 40;

function describeCode(code: string, t: Translate): string {
  const key = `common.error.${code}` as TextKey;
  const text = t(key);
  return text === key ? '' : text;
}

function describe(message: Waiting, isOwn: boolean, isOffline: boolean, t: Translate): { title: string; text: string } {
  const name = isolate(firstName(message.recipient.name));
  const { state } = message;
  if (state.name === 'refused') {
    const reason =
      state.code === 'receiving_paused'
        ? t('outbox.refused.paused', { name })
        : state.code === 'user_not_found'
          ? t('outbox.refused.gone', { name })
          : state.code === 'account_required' || state.code === 'account_too_new'
            ? t('outbox.refused.accounts', { name })
            : isPromptGone(message)
              ? t('outbox.refused.prompt', { name })
              : [t('outbox.refused.other', { name }), describeCode(state.code, t)].join(' ').trim();
    return { title: t('outbox.refused.title'), text: `${reason} ${t('outbox.refused.stays')}` };
  }
  const title = t('outbox.waits');
  if (state.name === 'held' || !isOwn) return { title, text: t('outbox.held') };
  if (isVoice(message)) return { title, text: t('outbox.voiceGoes', { name }) };
  const text = textOf(message);
  if (text === '') return { title, text: t('outbox.pictureGoes', { name }) };
  return {
    title,
    text: t(isOffline ? 'outbox.goes' : 'outbox.goesSoon', { text: isolate(preview(text, MAX_EXCERPT)) }),
  };
}

function WaitingCard({ message, isOwn }: { message: Waiting; isOwn: boolean }): ReactNode {
  const { t } = useTranslation();
  const toast = useToast();
  const isRefused = message.state.name === 'refused';
  const { title, text } = describe(message, isOwn, useIsOffline(), t);
  const own = isOwn ? textOf(message) : '';

  const copy = async () => {
    const done = await copyText(own);
    toast({ variant: done ? 'success' : 'destructive', title: t(done ? 'outbox.copied' : 'outbox.copyFailed') });
  };
  const remove = async () => {
    if (!(await withdraw(message.key))) toast({ variant: 'warning', title: t('outbox.tooLate') });
  };
  const tryAgain = async () => {
    if (isRefused) await retryRefused(message);
    await sendNow();
  };

  return (
    <Card data-testid="waiting">
      {isRefused ? <Icon of={CircleAlert} /> : <Bowl dots={3} />}
      <div>
        <b>{title}</b>
        <p>{text}</p>
        <Actions>
          {own !== '' && (isRefused || message.state.name === 'held') && (
            <Button type="button" size="sm" onClick={() => void copy()}>
              {t('outbox.copy')}
            </Button>
          )}
          {isOwn && (
            <Button type="button" size="sm" onClick={() => void tryAgain()}>
              {t(isPromptGone(message) ? 'outbox.withoutQuestion' : 'outbox.tryNow')}
            </Button>
          )}
          <Button type="button" size="sm" variant="dangerGhost" onClick={() => void remove()}>
            {t(isRefused ? 'outbox.remove' : 'outbox.dontSend')}
          </Button>
        </Actions>
      </div>
    </Card>
  );
}

const Region = styled.div<{ $isAbove?: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 10px;
  &:not(:empty) {
    margin-block: ${({ $isAbove }) => ($isAbove ? '0 14px' : '14px')};
  }
`;

const TONES = {
  offline: 'background: var(--night); color: var(--on-night);',
  sent: 'background: var(--mint-tint); color: var(--on-mint-tint);',
} as const;

const Band = styled.div<{ $tone: keyof typeof TONES }>`
  display: flex;
  align-items: center;
  gap: 12px;
  padding: 12px 18px;
  border-radius: 16px;
  border-end-start-radius: var(--tail);
  ${({ $tone }) => TONES[$tone]}
  ${small}
  svg {
    flex: none;
  }
  p {
    flex: 1;
    min-inline-size: 0;
  }
  a {
    font-weight: 700;
    text-decoration: underline;
    text-underline-offset: 3px;
    padding-block: 10px;
  }
  @media (forced-colors: active) {
    border: 1px solid;
  }
`;

const Card = styled.div`
  display: flex;
  gap: 16px;
  align-items: flex-start;
  padding: 16px 20px;
  background: var(--sunken);
  border-radius: 16px;
  border-end-start-radius: var(--tail);
  overflow-wrap: anywhere;
  > svg {
    flex: none;
    margin-block-start: 4px;
  }
  > div {
    flex: 1;
    min-inline-size: 0;
  }
  p {
    color: var(--ink-2);
    ${small}
  }
`;

const Bowl = styled(Glyph)`
  inline-size: 36px;
  block-size: 36px;
  color: var(--ink-3);
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  margin-block-start: 10px;
  button {
    min-block-size: 44px;
  }
`;
