import { Check, Copy, Mic, Pause, Square, Trash2 } from 'lucide-react';
import { AnchorButton, Button, Icon, IconButton, LoadingDots, StatusDot } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';
import { systemBrowserLink } from '../../lib/in-app.js';
import { Waveform } from '../../shared/player/index.js';
import {
  Elsewhere,
  LiveActions,
  LiveClock,
  LiveWave,
  Panel,
  PanelText,
  PanelTitle,
  RecordButton,
} from './recorder-parts.js';
import type { Progress } from './recording.js';

export function IdlePanel({ starting, onStart }: { starting: boolean; onStart: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel data-testid="recorder" data-state="idle">
      <RecordButton
        type="button"
        data-autofocus
        aria-label={t('recorder.start')}
        aria-busy={starting || undefined}
        aria-disabled={starting || undefined}
        onClick={starting ? undefined : onStart}
      >
        {starting ? <LoadingDots /> : <Icon of={Mic} size="lg" />}
      </RecordButton>
      <div>
        <PanelTitle>{t('recorder.title')}</PanelTitle>
        <PanelText>{t('recorder.text')}</PanelText>
      </div>
    </Panel>
  );
}

/** For in-app browsers that cannot record: the system's browser can. */
export function ElsewherePanel() {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  const link = systemBrowserLink();
  const { host, pathname, href } = window.location;
  return (
    <Panel $stacked data-testid="recorder" data-state="elsewhere">
      <PanelText data-autofocus tabIndex={-1}>
        {t('recorder.elsewhere.text')} {link === null && t('recorder.elsewhere.openYourself')}
      </PanelText>
      <Elsewhere>
        {link !== null && <AnchorButton href={link}>{t('recorder.elsewhere.open')}</AnchorButton>}
        <Button onClick={() => void copy(href)}>
          <Icon of={copied ? Check : Copy} />
          {t(copied ? 'recorder.elsewhere.copied' : 'recorder.elsewhere.copy')}
        </Button>
        {/* Such a browser may also refuse to copy. */}
        <small dir="ltr">
          {host}
          {pathname}
        </small>
      </Elsewhere>
    </Panel>
  );
}

/** Bars for the recorded part, and placeholders after it. */
const RECORDED_BARS = 38;
const PLACEHOLDER_BARS = 10;
const MIN_HEIGHT = 10;

interface Props {
  progress: Progress;
  paused: boolean;
  onPause: () => void;
  onResume: () => void;
  onStop: () => void;
  onDiscard: () => void;
}

export function LivePanel({ progress: { seconds, levels }, paused, onPause, onResume, onStop, onDiscard }: Props) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const recorded = levels.slice(-RECORDED_BARS).map((level) => Math.max(MIN_HEIGHT, level));
  const placeholders = Array.from({ length: PLACEHOLDER_BARS + RECORDED_BARS - recorded.length + 1 }, () => MIN_HEIGHT);

  return (
    <Panel $stacked data-testid="recorder" data-state={paused ? 'paused' : 'recording'}>
      <LiveClock $paused={paused}>
        <StatusDot $pulsing={!paused} />
        <span role="timer">{duration(Math.floor(seconds))}</span>
      </LiveClock>
      <LiveWave $paused={paused}>
        <Waveform bars={[...recorded, ...placeholders]} head={recorded.length} />
      </LiveWave>
      <LiveActions>
        <IconButton label={t('recorder.discard')} onClick={onDiscard}>
          <Icon of={Trash2} />
        </IconButton>
        <IconButton label={t(paused ? 'recorder.resume' : 'recorder.pause')} onClick={paused ? onResume : onPause}>
          <Icon of={paused ? Mic : Pause} />
        </IconButton>
        <Button variant="primary" size="sm" data-autofocus onClick={onStop}>
          <Icon of={Square} />
          {t('recorder.stop')}
        </Button>
      </LiveActions>
    </Panel>
  );
}
