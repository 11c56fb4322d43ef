import { useEffect, useRef, useState } from 'react';
import { Spoken, useToast } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isInApp } from '../../lib/in-app.js';
import { ElsewherePanel, IdlePanel, LivePanel } from './RecordingPanels.js';
import { ReadyPanel } from './ReadyPanel.js';
import { findRecordingType } from './microphone.js';
import type { VoiceOptions } from './use-voice-message.js';
import { useDevice } from './use-device-voice.js';
import { useRecording } from './use-recording.js';

interface Props extends Pick<VoiceOptions, 'recipient' | 'promptId' | 'onPromptGone' | 'onSent'> {
  id: string;
  sendSlot: HTMLElement | null;
  /** True while leaving would lose a recording. */
  onHasRecordingChange: (occupied: boolean) => void;
}

export function VoiceRecorder({ id, onHasRecordingChange, ...options }: Props) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const toast = useToast();
  const [announcement, announce] = useState('');
  const device = useDevice();
  const [isElsewhere, setElsewhere] = useState(() => isInApp() && findRecordingType() === null);
  const { stage, progress, start, pause, resume, stop, reset } = useRecording({
    onPause: () => announce(t('recorder.announcements.paused')),
    onStop: ({ seconds }, isFull) => {
      const length = t('recorder.announcements.stopped', { length: duration(seconds) });
      announce(isFull ? `${t('recorder.announcements.full')} ${length}` : length);
    },
    onFailure: (reason) => {
      if (isInApp()) {
        setElsewhere(true);
        return;
      }
      const unsupported = reason === 'unsupported';
      const text = t(unsupported ? 'recorder.failed.unsupported' : 'recorder.failed.permission');
      toast({
        variant: 'destructive',
        title: t(unsupported ? 'recorder.failed.microphone' : 'recorder.failed.start'),
        text,
      });
    },
  });
  const panel = useFocusOnStageChange(stage.name);
  const hasRecording = stage.name !== 'idle';

  useEffect(() => {
    onHasRecordingChange(hasRecording);
  }, [hasRecording, onHasRecordingChange]);

  const discard = () => {
    reset();
    announce(t('recorder.announcements.discarded'));
  };

  return (
    <div id={id} ref={panel} role="group" aria-label={t('recorder.panel')}>
      <Spoken as="p" role="status">
        {announcement}
      </Spoken>
      {isElsewhere && <ElsewherePanel />}
      {!isElsewhere && (stage.name === 'idle' || stage.name === 'starting') && (
        <IdlePanel
          starting={stage.name === 'starting'}
          onStart={() => {
            void start().then((started) => {
              if (started) announce(t('recorder.announcements.recording'));
            });
          }}
        />
      )}
      {(stage.name === 'recording' || stage.name === 'paused') && (
        <LivePanel
          progress={progress}
          paused={stage.name === 'paused'}
          onPause={pause}
          onResume={() => {
            resume();
            announce(t('recorder.announcements.recording'));
          }}
          onStop={stop}
          onDiscard={discard}
        />
      )}
      {stage.name === 'stopped' && (
        <ReadyPanel
          key={stage.recording.id}
          {...options}
          recording={stage.recording}
          device={device}
          announce={announce}
          onAgain={discard}
        />
      )}
    </div>
  );
}

/** When it opens, and when a stage change removes the focused element. */
function useFocusOnStageChange(stage: string) {
  const panel = useRef<HTMLDivElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (!opened.current || document.activeElement === document.body)
      panel.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
    opened.current = true;
  }, [stage]);
  return panel;
}
