import { Ear, RotateCcw, SendHorizontal, TriangleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Button, Icon } from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { mediaSrc } from '../../lib/media-src.js';
import { Clock, PlayButton, Player, SoundBar, toBars, Waveform } from '../player/index.js';
import { Honest, Panel, PanelTitle, ReadyHead, Warning } from './recorder-parts.js';
import type { Take } from './take.js';
import { useVoiceMessage } from './use-voice-message.js';
import { VoiceChoice } from './VoiceChoice.js';

interface Props {
  take: Take;
  recipientId: number;
  /** The element that holds the send button. */
  sendSlot: HTMLElement | null;
  /** Announces a text to screen readers. */
  say: (words: string) => void;
  onAgain: () => void;
  onSent: () => void;
}

/** The finished recording. Only the altered voice can be played, never the raw recording. */
export function ReadyPanel({ take, recipientId, sendSlot, say, onAgain, onSent }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { voiceType, choose, isMissing, previewUrl, hearing, hear, onUnplayable, isPreviewing, send, isSending } =
    useVoiceMessage({ take, recipientId, say, onSent });
  const busy = isPreviewing || isSending;

  return (
    <Panel $stacked data-testid="recorder" data-state="stopped">
      <ReadyHead>
        <PanelTitle data-lands tabIndex={-1}>
          {t('recorder.ready')}
        </PanelTitle>
        <Button variant="ghost" size="sm" disabled={busy} onClick={onAgain}>
          <Icon of={RotateCcw} />
          {t('recorder.again')}
        </Button>
      </ReadyHead>
      {previewUrl === undefined ? (
        <Unheard take={take}>
          <PlayButton
            face={isPreviewing ? 'loading' : 'play'}
            aria-label={t('recorder.preview.hear')}
            disabled={isSending}
            onClick={() => void hear()}
          />
        </Unheard>
      ) : (
        <Player
          key={`${previewUrl} ${String(hearing)}`}
          src={mediaSrc(previewUrl)}
          duration={take.seconds}
          peaks={take.levels}
          failure={t('player.failed')}
          autoPlay={hearing > 0}
          onPanel
          onFailed={onUnplayable}
        />
      )}
      <VoiceChoice chosen={voiceType} disabled={busy} describedBy={id} onChoose={choose} />
      <Honest id={id}>{t('recorder.honest')}</Honest>
      {isMissing && (
        <Warning role="alert">
          <Icon of={TriangleAlert} size="sm" />
          {t('recorder.missing')}
        </Warning>
      )}
      {voiceType !== null && (
        <Button
          variant="soft"
          block
          disabled={isSending}
          busy={isPreviewing ? t('recorder.preview.pending') : undefined}
          onClick={() => void hear()}
        >
          <Icon of={Ear} />
          {t('recorder.preview.hear')}
        </Button>
      )}
      {sendSlot !== null &&
        createPortal(
          <Button
            variant="primary"
            disabled={isPreviewing}
            busy={isSending ? t('recorder.sending') : undefined}
            onClick={() => void send()}
          >
            <Icon of={SendHorizontal} flip />
            {t('recorder.send')}
          </Button>,
          sendSlot,
        )}
    </Panel>
  );
}

/** A recording without a preview yet. */
function Unheard({ take, children }: { take: Take; children: ReactNode }) {
  const { duration } = useFormats();
  return (
    <SoundBar dir="ltr" $onPanel>
      {children}
      <Waveform bars={toBars(take.levels)} />
      <Clock>{duration(take.seconds)}</Clock>
    </SoundBar>
  );
}
