import { useCallback, useEffect, useRef, useState } from 'react';
import type { VoiceType } from './api.js';
import { type AlteredVoice, type DeviceVoice, deviceVoice, RecordingRefused } from './device-voice.js';
import type { Recording } from './recording.js';

/** Loads as soon as the recorder opens. Null where unsupported. */
export const useDevice = (): DeviceVoice | null => useState(deviceVoice)[0];

export interface HeardVoice extends AlteredVoice {
  /** An object URL. */
  url: string;
}

/** Alters each voice once: what is heard is what is sent. After a failure `isAble` stays false. */
export function useDeviceVoice(device: DeviceVoice | null, { audio }: Recording) {
  const [isAble, setAble] = useState(device !== null);
  const [voices, setVoices] = useState<Partial<Record<VoiceType, HeardVoice>>>({});
  const [share, setShare] = useState(0);
  const asked = useRef(new Map<VoiceType, Promise<HeardVoice>>());
  const reading = useRef<Promise<void>>(undefined);
  const urls = useRef(new Set<string>());
  const isGone = useRef(false);

  const read = useCallback((): Promise<void> => {
    reading.current ??= device === null ? Promise.reject(new Error('There is no device.')) : device.read(audio);
    reading.current.catch((error: unknown) => {
      if (!(error instanceof RecordingRefused)) setAble(false);
    });
    return reading.current;
  }, [device, audio]);

  useEffect(() => {
    if (device !== null) void read().catch(() => undefined);
  }, [device, read]);

  useEffect(() => {
    const made = urls.current;
    isGone.current = false;
    return () => {
      isGone.current = true;
      device?.forget();
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, [device]);

  const make = async (voiceType: VoiceType): Promise<HeardVoice> => {
    await read();
    if (device === null || isGone.current) throw new Error('There is nothing to alter.');
    setShare(0);
    const altered = await device.alter(voiceType, setShare);
    const voice = { ...altered, url: URL.createObjectURL(altered.audio) };
    urls.current.add(voice.url);
    setVoices((last) => ({ ...last, [voiceType]: voice }));
    return voice;
  };

  const alter = (voiceType: VoiceType): Promise<HeardVoice> => {
    const voice = asked.current.get(voiceType) ?? make(voiceType);
    asked.current.set(voiceType, voice);
    voice.catch((error: unknown) => {
      if (!(error instanceof RecordingRefused)) setAble(false);
    });
    return voice;
  };

  return { isAble, voices, share, alter };
}
