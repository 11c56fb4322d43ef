import { useEffect, useRef, useState } from 'react';

/** Only one voice plays at a time. */
export function pauseSounds(except?: HTMLAudioElement): void {
  for (const sound of document.querySelectorAll('audio')) if (sound !== except) sound.pause();
}

export type PlaybackState = 'idle' | 'loading' | 'playing' | 'paused' | 'failed';

const SPEEDS = [1, 1.5, 2] as const;
type Speed = (typeof SPEEDS)[number];

const nextSpeed = (speed: Speed): Speed => SPEEDS[SPEEDS.indexOf(speed) + 1] ?? SPEEDS[0];

/** A pause before playback has begun, or a blocked autoplay. */
const isExpectedError = (error: unknown) =>
  error instanceof DOMException && (error.name === 'AbortError' || error.name === 'NotAllowedError');

/** Loads nothing before `play()`. */
export function usePlayback(expectedDuration: number, onFailed?: () => void) {
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<PlaybackState>('idle');
  const [position, setPosition] = useState(0);
  const [measured, setMeasured] = useState<number | null>(null);
  const [speed, setSpeed] = useState<Speed>(SPEEDS[0]);
  const duration = measured ?? expectedDuration;

  useEffect(() => {
    const element = audio.current;
    return () => {
      element?.pause();
    };
  }, []);

  const fail = () => {
    setState('failed');
    onFailed?.();
  };

  const play = async () => {
    const element = audio.current;
    if (element === null) return;
    pauseSounds(element);
    if (state === 'failed') element.load();
    setState('loading');
    // load() resets the rate to the default rate.
    element.defaultPlaybackRate = speed;
    element.playbackRate = speed;
    try {
      await element.play();
    } catch (error) {
      if (isExpectedError(error)) setState('paused');
      else fail();
    }
  };

  const toggle = () => {
    if (state === 'playing' || state === 'loading') audio.current?.pause();
    else void play();
  };

  const seek = (seconds: number) => {
    const target = Math.min(duration, Math.max(0, seconds));
    if (audio.current !== null) audio.current.currentTime = target;
    setPosition(target);
  };

  const changeSpeed = () => {
    const next = nextSpeed(speed);
    if (audio.current !== null) {
      audio.current.defaultPlaybackRate = next;
      audio.current.playbackRate = next;
    }
    setSpeed(next);
  };

  const element = {
    ref: audio,
    preload: 'none',
    onPlaying: () => setState('playing'),
    onWaiting: () => setState('loading'),
    onPause: () => setState((last) => (last === 'failed' ? last : 'paused')),
    onEnded: () => {
      if (audio.current !== null) audio.current.currentTime = 0;
      setPosition(0);
      setState('idle');
    },
    onTimeUpdate: () => setPosition(audio.current?.currentTime ?? 0),
    onLoadedMetadata: () => {
      const length = audio.current?.duration ?? Number.NaN;
      if (Number.isFinite(length)) setMeasured(length);
    },
    onError: fail,
  } as const;

  return { element, state, position, duration, speed, play, toggle, seek, changeSpeed };
}
