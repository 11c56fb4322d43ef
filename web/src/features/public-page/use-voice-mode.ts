import { useRef, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../components/index.js';
import type { VoiceRecorderProps } from '../recorder/index.js';

type Recorder = ComponentType<VoiceRecorderProps>;

/** Whether a voice is recorded in place of a text. The recorder's code is loaded only when somebody asks for it. */
export function useVoiceMode() {
  const { t } = useTranslation();
  const toast = useToast();
  const tool = useRef<HTMLButtonElement>(null);
  const [Recorder, setRecorder] = useState<Recorder | null>(null);
  const [isOccupied, setIsOccupied] = useState(false);

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
    setIsOccupied(false);
  };

  return {
    Recorder,
    tool,
    isOccupied,
    setIsOccupied,
    toggle: () => {
      if (Recorder === null) void open();
      else close();
    },
    close,
    /** Closes it, and gives the focus back to what opened it. */
    finish: () => {
      close();
      requestAnimationFrame(() => tool.current?.focus({ preventScroll: true }));
    },
  };
}

export type VoiceMode = ReturnType<typeof useVoiceMode>;
