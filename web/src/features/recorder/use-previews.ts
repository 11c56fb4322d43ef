import { useEffect, useRef, useState } from 'react';
import { usePreviewVoiceMutation, type VoiceType } from './api.js';
import type { Take } from './take.js';

/** The server sends what was heard for ten minutes; two of them an upload may take. */
const LIFETIME_MS = 8 * 60 * 1000;

/** The recording as it will sound, by voice. Each is made once and heard as often as wanted, since what was heard is what will be sent. */
export function usePreviews({ audio }: Take) {
  const [ask, { isLoading }] = usePreviewVoiceMutation();
  const [urls, setUrls] = useState<Partial<Record<VoiceType, string>>>({});
  const timers = useRef(new Set<number>());

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) window.clearTimeout(timer);
    };
  }, []);

  const make = async (voiceType: VoiceType) => {
    const { previewUrl } = await ask({ audio, voiceType }).unwrap();
    setUrls((last) => ({ ...last, [voiceType]: previewUrl }));
    timers.current.add(
      window.setTimeout(() => {
        setUrls((last) => ({ ...last, [voiceType]: undefined }));
      }, LIFETIME_MS),
    );
  };

  return { urls, make, isMaking: isLoading };
}
