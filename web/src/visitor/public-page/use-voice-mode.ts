import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { useToast } from '../../ui/index.js';
import { useOnDemand } from '../../lib/on-demand.js';

const TEXTS = ['recorder', 'player'] as const;
const loadRecorder = async () => (await import('../recorder/index.js')).VoiceRecorder;

/** The recorder replaces the text field. Its code loads on demand. */
export function useVoiceMode() {
  const { t } = useTranslation();
  const toast = useToast();
  const button = useRef<HTMLButtonElement>(null);
  const { Part, load, preload } = useOnDemand(loadRecorder, TEXTS);
  const [isOpen, setIsOpen] = useState(false);
  const [hasRecording, setHasRecording] = useState(false);

  const [finished, setFinished] = useState(0);

  useEffect(() => {
    if (finished > 0) button.current?.focus({ preventScroll: true });
  }, [finished]);

  const open = async () => {
    try {
      await load();
      setIsOpen(true);
    } catch {
      toast({
        variant: 'missing',
        title: t('publicPage.composer.recorderFailed'),
        text: t('common.error.offline'),
      });
    }
  };

  const close = () => {
    setIsOpen(false);
    setHasRecording(false);
  };

  const Recorder = isOpen ? Part : null;

  return {
    Recorder,
    preload,
    button,
    hasRecording,
    setHasRecording,
    toggle: () => {
      if (Recorder === null) void open();
      else close();
    },
    close,
    finish: () => {
      close();
      setFinished((count) => count + 1);
    },
  };
}

export type VoiceMode = ReturnType<typeof useVoiceMode>;
