import { useEffect, useRef, useState } from 'react';
import { pauseSounds } from '../../shared/player/index.js';
import { closeMicrophone, findRecordingType, openMicrophone } from './microphone.js';
import { type LiveRecording, type Progress, type Recording, startRecording } from './recording.js';

export type Stage = { name: 'idle' | 'starting' | 'recording' | 'paused' } | { name: 'stopped'; recording: Recording };

interface Options {
  onPause: () => void;
  onStop: (take: Recording, isFull: boolean) => void;
  onFailure: (reason: 'unsupported' | 'start') => void;
}

const IDLE: Stage = { name: 'idle' };
const NO_PROGRESS: Progress = { seconds: 0, levels: [] };

export function useRecording({ onPause, onStop, onFailure }: Options) {
  const [stage, setStage] = useState<Stage>(IDLE);
  const [progress, setProgress] = useState(NO_PROGRESS);
  const active = useRef<LiveRecording | null>(null);
  // Identifies the latest start. A microphone granted for an earlier one is closed.
  const startCount = useRef(0);

  const release = () => {
    startCount.current += 1;
    active.current?.discard();
    active.current = null;
  };

  useEffect(() => release, []);

  const reset = () => {
    release();
    setProgress(NO_PROGRESS);
    setStage(IDLE);
  };

  const fail = () => {
    reset();
    onFailure('start');
  };

  const start = async (): Promise<boolean> => {
    const type = findRecordingType();
    if (type === null) {
      onFailure('unsupported');
      return false;
    }
    reset();
    const count = startCount.current;
    setStage({ name: 'starting' });
    pauseSounds();
    let stream: MediaStream | null = null;
    try {
      stream = await openMicrophone();
      if (count !== startCount.current) {
        closeMicrophone(stream);
        return false;
      }
      active.current = startRecording(stream, type, {
        onProgress: setProgress,
        onPause: () => {
          setStage({ name: 'paused' });
          onPause();
        },
        onDone: (recording, isFull) => {
          active.current = null;
          setStage({ name: 'stopped', recording });
          onStop(recording, isFull);
        },
        onFailed: fail,
      });
    } catch {
      if (stream !== null) closeMicrophone(stream);
      if (count === startCount.current) fail();
      return false;
    }
    setStage({ name: 'recording' });
    return true;
  };

  return {
    stage,
    progress,
    start,
    pause: () => {
      active.current?.pause();
    },
    resume: () => {
      active.current?.resume();
      setStage({ name: 'recording' });
    },
    stop: () => {
      active.current?.stop();
    },
    reset,
  };
}
