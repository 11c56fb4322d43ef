import { useEffect, useRef, useState } from 'react';
import { usePreviewVoiceMutation, type VoiceType } from './api.js';
import type { Take } from './take.js';

/** The server keeps a preview for ten minutes. Two minutes are left for the upload. */
const LIFETIME_MS = 8 * 60 * 1000;

/** Previews by voice. Each is requested once: the server sends exactly the previewed audio. */
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
