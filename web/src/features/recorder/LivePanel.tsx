import { Mic, Pause, Square, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, Icon, IconButton, Nuqta } from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { Waveform } from '../player/index.js';
import { LiveActions, LiveClock, LiveWave, Panel } from './recorder-parts.js';
import type { Progress } from './take.js';

/** Number of bars for the recorded part, and of placeholder bars after it. */
const RECORDED = 38;
const WAITING = 10;
const LOWEST = 10;

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
  const recorded = levels.slice(-RECORDED).map((level) => Math.max(LOWEST, level));
  const waiting = Array.from({ length: WAITING + RECORDED - recorded.length + 1 }, () => LOWEST);

  return (
    <Panel $stacked data-testid="recorder" data-state={paused ? 'paused' : 'recording'}>
      <LiveClock $paused={paused}>
        <Nuqta $whispers={!paused} />
        <span role="timer">{duration(Math.floor(seconds))}</span>
      </LiveClock>
      <LiveWave $paused={paused}>
        <Waveform bars={[...recorded, ...waiting]} head={recorded.length} />
      </LiveWave>
      <LiveActions>
        <IconButton label={t('recorder.discard')} onClick={onDiscard}>
          <Icon of={Trash2} />
        </IconButton>
        <IconButton label={t(paused ? 'recorder.resume' : 'recorder.pause')} onClick={paused ? onResume : onPause}>
          <Icon of={paused ? Mic : Pause} />
        </IconButton>
        <Button variant="primary" size="sm" data-lands onClick={onStop}>
          <Icon of={Square} />
          {t('recorder.stop')}
        </Button>
      </LiveActions>
    </Panel>
  );
}
