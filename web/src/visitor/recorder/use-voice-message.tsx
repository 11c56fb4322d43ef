import type { FieldFault } from '@najwa/proto/http/client';
import { useTranslation } from '../../i18n/index.js';
import { useEffect, useRef, useState } from 'react';
import { SendHorizontal } from 'lucide-react';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { useToast } from '../../ui/index.js';
import { isForLater } from '../../lib/submission-key.js';
import { pauseSounds } from '../../shared/player/index.js';
import { messageRequest, type Recipient } from '../../lib/message-request.js';
import { useSubmission } from '../use-submission.js';
import { usePreviewVoiceMutation, type SentVoice, type VoiceType } from './api.js';
import { type DeviceVoice, RecordingRefused } from './device-voice.js';
import type { Recording } from './recording.js';
import { type HeardVoice, useDeviceVoice } from './use-device-voice.js';

const AUDIO_ERRORS = [
  'required',
  'too_large',
  'too_long',
  'too_short',
  'silent',
  'unsupported',
] as const satisfies readonly FieldFault[];

function useVoiceErrorText() {
  const { t } = useTranslation();
  const errors = useErrorText();

  const text = (error: unknown) => {
    const fault = isApiError(error)
      ? error.fields['audio']
      : error instanceof RecordingRefused
        ? error.fault
        : undefined;
    const code = AUDIO_ERRORS.find((known) => known === fault);
    return code === undefined ? errors.text(error) : t(`recorder.audio.${code}`);
  };

  /** Prefixed with the status. */
  const message = (error: unknown) => errors.message(error, text(error));
  return { text, message };
}

export interface VoiceOptions {
  recording: Recording;
  /** Null where the server alters voices. */
  device: DeviceVoice | null;
  recipient: Recipient;
  promptId: number | undefined;
  onPromptGone: (id: number) => void;
  announce: (words: string) => void;
  /** @param message null if it waits on this device. @returns true if its notice shows */
  onSent: (message: SentVoice | null) => Promise<boolean>;
}

/** Never falls back to the server: the user must first read that it gets the recording. */
function useAlteration({ device, recording }: VoiceOptions) {
  const { t } = useTranslation();
  const toast = useToast();
  const voiceErrors = useVoiceErrorText();
  const onDevice = useDeviceVoice(device, recording);
  const [altering, setAltering] = useState<'preview' | 'send' | null>(null);

  /** @returns null on failure, after a notice */
  const alterFor = async (purpose: 'preview' | 'send', voice: VoiceType): Promise<HeardVoice | null> => {
    setAltering(purpose);
    try {
      return await onDevice.alter(voice);
    } catch (error) {
      const text = error instanceof RecordingRefused ? voiceErrors.text(error) : t('recorder.failed.device');
      toast({ variant: 'destructive', title: t(`recorder.failed.${purpose}`), text });
      return null;
    } finally {
      setAltering(null);
    }
  };

  return { ...onDevice, altering, setAltering, alterFor };
}

type Alteration = ReturnType<typeof useAlteration>;

const LIFETIME_MS = 8 * 60 * 1000;

function usePreview({ recording, announce }: VoiceOptions, voiceType: VoiceType | null, onDevice: Alteration) {
  const { t } = useTranslation();
  const toast = useToast();
  const voiceErrors = useVoiceErrorText();
  // Counts requests to listen. Each restarts the player.
  const [playCount, setPlayCount] = useState(0);
  // Could not be played, so it is requested again.
  const broken = useRef<string | undefined>(undefined);
  const [requestPreview, { isLoading: isRequesting }] = usePreviewVoiceMutation();
  // By voice. Each is requested once: the server sends exactly the previewed audio.
  const [urls, setUrls] = useState<Partial<Record<VoiceType, string>>>({});
  const timers = useRef(new Set<number>());
  const url = voiceType === null || onDevice.isAble ? undefined : urls[voiceType];
  const requested = url === undefined ? undefined : { url, seconds: recording.seconds, peaks: recording.levels };

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) window.clearTimeout(timer);
    };
  }, []);

  /** @returns whether it can be heard now */
  const prepare = async (voice: VoiceType): Promise<boolean> => {
    if (onDevice.isAble) return (await onDevice.alterFor('preview', voice)) !== null;
    try {
      const { previewUrl } = await requestPreview({ audio: recording.audio, voiceType: voice }).unwrap();
      setUrls((last) => ({ ...last, [voice]: previewUrl }));
      timers.current.add(window.setTimeout(() => setUrls((last) => ({ ...last, [voice]: undefined })), LIFETIME_MS));
      return true;
    } catch (error) {
      const isAway = isApiError(error) && error.code === 'unavailable';
      const text = (
        <>
          {t('recorder.failed.preview')}{' '}
          <Reason>{isAway ? t('common.error.media_unavailable') : voiceErrors.text(error)}</Reason>
        </>
      );
      toast({ variant: 'destructive', title: t('recorder.failed.error'), text });
      return false;
    }
  };

  return {
    preview: voiceType !== null && onDevice.isAble ? onDevice.voices[voiceType] : requested,
    playCount,
    setPlayCount,
    isPreviewing: isRequesting || onDevice.altering === 'preview',
    play: async (voice: VoiceType) => {
      if (isRequesting || onDevice.altering !== null) return;
      setPlayCount((count) => count + 1);
      if (onDevice.isAble ? onDevice.voices[voice] !== undefined : url !== undefined && url !== broken.current) return;
      announce(t('recorder.announcements.preparing'));
      if (await prepare(voice)) announce(t('recorder.announcements.previewReady'));
    },
    onUnplayable: () => {
      broken.current = url;
    },
  };
}

function useSend({ recording, recipient, promptId, onPromptGone, onSent }: VoiceOptions, onDevice: Alteration) {
  const { t } = useTranslation();
  const toast = useToast();
  const voiceErrors = useVoiceErrorText();
  const { keyFor, submit } = useSubmission();

  const send = async (voiceType: VoiceType) => {
    pauseSounds();
    const altered = onDevice.isAble ? await onDevice.alterFor('send', voiceType) : undefined;
    if (altered === null) return;
    const { audio, seconds } = altered ?? recording;
    const later = isForLater();
    const key = keyFor(recording.id, voiceType, String([promptId, later]), String(altered !== undefined));
    const voice = {
      ...(later && { later: 'true' as const }),
      audio,
      duration: seconds.toFixed(1),
      voiceType,
      ...(altered !== undefined && { isAltered: 'true' as const }),
      ...(promptId !== undefined && { promptId }),
    };
    // Stays busy until the notice is there, which says the same.
    onDevice.setAltering('send');
    try {
      // A recording in the sender's own voice stays in this page.
      const waiting = altered && { key, recipient, content: voice };
      const sent = await submit(messageRequest(recipient, voice, key), waiting);
      if (sent === undefined) onDevice.setAltering(null);
      else if (!(await onSent(sent)) && sent !== null)
        toast({ variant: 'success', icon: SendHorizontal, title: t('recorder.done') });
    } catch (error) {
      onDevice.setAltering(null);
      if (promptId !== undefined && isApiError(error) && error.code === 'prompt_not_found') onPromptGone(promptId);
      const text = t('recorder.failed.upload', { text: voiceErrors.message(error) });
      toast({ variant: 'destructive', title: t('recorder.failed.send'), text });
    }
  };

  return { send, isSending: onDevice.altering === 'send' };
}

export function useVoiceMessage(options: VoiceOptions) {
  const [voiceType, setVoiceType] = useState<VoiceType | null>(null);
  const [isVoiceMissing, setIsVoiceMissing] = useState(false);
  const onDevice = useAlteration(options);
  const { play, setPlayCount, ...preview } = usePreview(options, voiceType, onDevice);
  const { send, isSending } = useSend(options, onDevice);

  const withVoice = (act: (voice: VoiceType) => Promise<void>) => async () => {
    if (voiceType === null) setIsVoiceMissing(true);
    else await act(voiceType);
  };

  return {
    ...preview,
    voiceType,
    choose: (voice: VoiceType) => {
      setVoiceType(voice);
      setIsVoiceMissing(false);
      setPlayCount(0);
      // Likely to be heard next.
      if (onDevice.isAble) void onDevice.alter(voice).catch(() => undefined);
    },
    isVoiceMissing,
    isOnDevice: onDevice.isAble,
    share: onDevice.share,
    playPreview: withVoice(play),
    send: withVoice(send),
    isSending,
  };
}

const Reason = styled.span`
  display: block;
`;
