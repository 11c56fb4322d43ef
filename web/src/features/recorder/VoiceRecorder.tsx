import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { useToast } from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { hiddenText } from '../../theme/index.js';
import { IdlePanel } from './IdlePanel.js';
import { LivePanel } from './LivePanel.js';
import { ReadyPanel } from './ReadyPanel.js';
import { useRecording } from './use-recording.js';

export interface VoiceRecorderProps {
  id: string;
  recipientId: number;
  /** The element that holds the send button. */
  sendSlot: HTMLElement | null;
  /** Called with true while there is a recording that leaving would lose. */
  onOccupied: (occupied: boolean) => void;
  onSent: () => void;
}

/** Records a voice message, previews the altered voice, and sends it. */
export function VoiceRecorder({ id, recipientId, sendSlot, onOccupied, onSent }: VoiceRecorderProps) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const toast = useToast();
  const [said, say] = useState('');
  const { stage, progress, start, pause, resume, stop, reset } = useRecording({
    onStop: ({ seconds }, isFull) => {
      const length = t('recorder.said.stopped', { length: duration(seconds) });
      say(isFull ? `${t('recorder.said.full')} ${length}` : length);
    },
    onFailure: (reason) => {
      const unsupported = reason === 'unsupported';
      toast({
        variant: 'destructive',
        title: t(unsupported ? 'recorder.failed.microphone' : 'recorder.failed.start'),
        text: t(unsupported ? 'recorder.failed.unsupported' : 'recorder.failed.permission'),
      });
    },
  });
  const panel = useFocusThatFollows(stage.name);
  const isOccupied = stage.name !== 'idle';

  useEffect(() => {
    onOccupied(isOccupied);
  }, [isOccupied, onOccupied]);

  const discard = () => {
    reset();
    say(t('recorder.said.discarded'));
  };

  return (
    <div id={id} ref={panel} role="group" aria-label={t('recorder.panel')}>
      <Said role="status">{said}</Said>
      {(stage.name === 'idle' || stage.name === 'starting') && (
        <IdlePanel
          starting={stage.name === 'starting'}
          onStart={() => {
            void start().then((begun) => {
              if (begun) say(t('recorder.said.recording'));
            });
          }}
        />
      )}
      {(stage.name === 'recording' || stage.name === 'paused') && (
        <LivePanel
          progress={progress}
          paused={stage.name === 'paused'}
          onPause={() => {
            pause();
            say(t('recorder.said.paused'));
          }}
          onResume={() => {
            resume();
            say(t('recorder.said.recording'));
          }}
          onStop={stop}
          onDiscard={discard}
        />
      )}
      {stage.name === 'stopped' && (
        <ReadyPanel
          key={stage.take.id}
          take={stage.take}
          recipientId={recipientId}
          sendSlot={sendSlot}
          say={say}
          onAgain={discard}
          onSent={onSent}
        />
      )}
    </div>
  );
}

/** Focuses the recorder when it opens, and its next stage when the focused element is removed. */
function useFocusThatFollows(stage: string) {
  const panel = useRef<HTMLDivElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (!opened.current || document.activeElement === document.body)
      panel.current?.querySelector<HTMLElement>('[data-lands]')?.focus({ preventScroll: true });
    opened.current = true;
  }, [stage]);
  return panel;
}

const Said = styled.p`
  ${hiddenText}
`;
