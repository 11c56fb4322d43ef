import { useEffect, useRef, useState } from 'react';
import { pauseSounds } from '../player/index.js';
import { closeMicrophone, findRecordingType, openMicrophone } from './microphone.js';
import { startTake, type LiveTake, type Progress, type Take } from './take.js';

export type Stage = { name: 'idle' | 'starting' | 'recording' | 'paused' } | { name: 'stopped'; take: Take };

interface Options {
  onStop: (take: Take, isFull: boolean) => void;
  onFailure: (reason: 'unsupported' | 'start') => void;
}

const IDLE: Stage = { name: 'idle' };
const NOTHING: Progress = { seconds: 0, levels: [] };

/** Records from the microphone. Stages: idle, starting, recording, paused, stopped. */
export function useRecording({ onStop, onFailure }: Options) {
  const [stage, setStage] = useState<Stage>(IDLE);
  const [progress, setProgress] = useState(NOTHING);
  const live = useRef<LiveTake | null>(null);
  // Identifies the latest start. A microphone that is granted for an earlier one is closed.
  const turn = useRef(0);

  const letGo = () => {
    turn.current += 1;
    live.current?.discard();
    live.current = null;
  };

  useEffect(() => letGo, []);

  const reset = () => {
    letGo();
    setProgress(NOTHING);
    setStage(IDLE);
  };

  const fail = () => {
    reset();
    onFailure('start');
  };

  /** Resolves to true if the recording has started. */
  const start = async (): Promise<boolean> => {
    const type = findRecordingType();
    if (type === null) {
      onFailure('unsupported');
      return false;
    }
    reset();
    const own = turn.current;
    setStage({ name: 'starting' });
    pauseSounds();
    let stream: MediaStream | null = null;
    try {
      stream = await openMicrophone();
      if (own !== turn.current) {
        closeMicrophone(stream);
        return false;
      }
      live.current = startTake(stream, type, {
        onProgress: setProgress,
        onDone: (take, isFull) => {
          live.current = null;
          setStage({ name: 'stopped', take });
          onStop(take, isFull);
        },
        onFailed: fail,
      });
    } catch {
      if (stream !== null) closeMicrophone(stream);
      if (own === turn.current) fail();
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
      live.current?.pause();
      setStage({ name: 'paused' });
    },
    resume: () => {
      live.current?.resume();
      setStage({ name: 'recording' });
    },
    stop: () => {
      live.current?.stop();
    },
    reset,
  };
}
