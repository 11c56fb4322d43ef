import { useRef, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../components/index.js';
import type { VoiceRecorderProps } from '../recorder/index.js';

type Recorder = ComponentType<VoiceRecorderProps>;

/** Whether the recorder replaces the text field. Its code is loaded on demand. */
export function useVoiceMode() {
  const { t } = useTranslation();
  const toast = useToast();
  const button = useRef<HTMLButtonElement>(null);
  const [Recorder, setRecorder] = useState<Recorder | null>(null);
  const [hasRecording, setHasRecording] = useState(false);

  const open = async () => {
    try {
      const { VoiceRecorder } = await import('../recorder/index.js');
      setRecorder(() => VoiceRecorder);
    } catch {
      toast({ variant: 'destructive', title: t('recorder.failed.load'), text: t('common.error.offline') });
    }
  };

  const close = () => {
    setRecorder(null);
    setHasRecording(false);
  };

  return {
    Recorder,
    button,
    hasRecording,
    setHasRecording,
    toggle: () => {
      if (Recorder === null) void open();
      else close();
    },
    close,
    /** Closes the recorder and returns the focus to its button. */
    finish: () => {
      close();
      requestAnimationFrame(() => button.current?.focus({ preventScroll: true }));
    },
  };
}

export type VoiceMode = ReturnType<typeof useVoiceMode>;
