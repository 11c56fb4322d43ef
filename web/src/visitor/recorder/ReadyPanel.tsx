import { Ear, RotateCcw, SendHorizontal, TriangleAlert } from 'lucide-react';
import { type ReactNode, type Ref, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Clock, PlayButton, Player, SoundBar, toBars, Waveform } from '../../shared/player/index.js';
import { Button, Icon, Row } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { mediaSrc } from '../../lib/media.js';
import type { VoiceType } from './api.js';
import { Choice, Choices, Panel, PanelTitle, PrivacyNote, Warning } from './recorder-parts.js';
import type { Recording } from './recording.js';
import { useVoiceMessage, type VoiceOptions } from './use-voice-message.js';

/** Decorative. The female voice is denser. */
const WAVEFORMS: Record<VoiceType, readonly number[]> = {
  male: [80, 46, 33, 21, 66, 23, 25, 34, 25, 28, 81, 45, 29, 62],
  female: [26, 13, 86, 48, 53, 29, 37, 34, 35, 27, 27, 25, 16, 40],
};

const VOICES = ['male', 'female'] as const;

interface VoiceChoiceProps {
  chosen: VoiceType | null;
  disabled: boolean;
  descriptionId: string;
  first: Ref<HTMLInputElement>;
  onChoose: (voice: VoiceType) => void;
}

function VoiceChoice({ chosen, disabled, descriptionId, first, onChoose }: VoiceChoiceProps) {
  const { t } = useTranslation();
  return (
    <Choices aria-describedby={descriptionId} disabled={disabled}>
      <legend>{t('recorder.choose')}</legend>
      {VOICES.map((voice) => (
        <Choice key={voice} $dense={voice === 'female'}>
          <input
            ref={voice === VOICES[0] ? first : undefined}
            type="radio"
            name="voice-type"
            value={voice}
            required
            checked={chosen === voice}
            onChange={() => onChoose(voice)}
          />
          <Waveform bars={WAVEFORMS[voice]} />
          <b>{t(`recorder.${voice}`)}</b>
        </Choice>
      ))}
    </Choices>
  );
}

interface Props extends VoiceOptions {
  sendSlot: HTMLElement | null;
  onAgain: () => void;
}

/** Only the altered voice can be played, never the raw recording. */
export function ReadyPanel({ sendSlot, onAgain, ...options }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const voice = useVoiceMessage(options);
  const { voiceType, isOnDevice, preview, playCount, isPreviewing, isSending } = voice;
  const busy = isPreviewing || isSending;
  const firstVoice = useRef<HTMLInputElement>(null);
  const isWaiting = voiceType === null;

  return (
    <Panel $stacked $sending={isSending} data-testid="recorder" data-state="stopped">
      <Row $between>
        <PanelTitle data-autofocus tabIndex={-1}>
          {t('recorder.ready')}
        </PanelTitle>
        <Button variant="ghost" size="sm" disabled={busy} onClick={onAgain}>
          <Icon of={RotateCcw} />
          {t('recorder.again')}
        </Button>
      </Row>
      {preview === undefined ? (
        <UnplayedRecording recording={options.recording} share={isOnDevice && isPreviewing ? voice.share : null}>
          <PlayButton
            state={isPreviewing ? 'loading' : 'play'}
            aria-label={t('recorder.preview.hear')}
            disabled={isSending}
            onClick={() => void voice.playPreview()}
          />
        </UnplayedRecording>
      ) : (
        <Player
          key={`${preview.url} ${String(playCount)}`}
          src={mediaSrc(preview.url)}
          duration={preview.seconds}
          peaks={preview.peaks}
          failure={t('player.failed')}
          autoPlay={playCount > 0}
          onPanel
          onFailed={voice.onUnplayable}
        />
      )}
      <VoiceChoice chosen={voiceType} disabled={busy} descriptionId={id} first={firstVoice} onChoose={voice.choose} />
      <PrivacyNote id={id} data-on={isOnDevice ? 'device' : 'server'}>
        {t(isOnDevice ? 'recorder.changed.device' : 'recorder.changed.server')} {t('recorder.stays')}
      </PrivacyNote>
      {voice.isVoiceMissing && (
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
          onClick={() => void voice.playPreview()}
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
            aria-disabled={isWaiting || undefined}
            aria-label={isWaiting ? t('recorder.sendFirst') : undefined}
            busy={isSending ? t('recorder.sending') : undefined}
            onClick={() => {
              if (isWaiting) firstVoice.current?.focus();
              void voice.send();
            }}
          >
            <Icon of={SendHorizontal} flip />
            {t(isWaiting ? 'publicPage.composer.send' : 'recorder.send')}
          </Button>,
          sendSlot,
        )}
    </Panel>
  );
}

interface UnplayedProps {
  recording: Recording;
  share: number | null;
  children: ReactNode;
}

/** Has no preview yet. */
function UnplayedRecording({ recording, share, children }: UnplayedProps) {
  const { duration } = useFormats();
  const bars = toBars(recording.levels);
  return (
    <SoundBar dir="ltr" $onPanel>
      {children}
      <Waveform bars={bars} head={share === null ? null : Math.round(share * bars.length)} />
      <Clock>{duration(recording.seconds)}</Clock>
    </SoundBar>
  );
}
