import type { FieldFault } from '@najwa/proto/http/client';
import { useTranslation } from '../../i18n/index.js';
import { useEffect, useRef, useState } from 'react';
import { SendHorizontal } from 'lucide-react';
import { styled } from 'styled-components';
import { isApiError, requireCreated } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { useToast } from '../../ui/index.js';
import { keepWaiting } from '../keep-waiting.js';
import { isForLater, useSubmissionKey } from '../../lib/submission-key.js';
import { pauseSounds } from '../../shared/player/index.js';
import type { Recipient } from '../../lib/message-request.js';
import { usePreviewVoiceMutation, useSendVoiceMutation, type SentVoice, type VoiceType } from './api.js';
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

export function useVoiceErrorText() {
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

  return {
    text,
    /** Prefixed with the status. */
    message: (error: unknown) => errors.message(error, text(error)),
  };
}

const LIFETIME_MS = 8 * 60 * 1000;

/** By voice. Each is requested once: the server sends exactly the previewed audio. */
export function usePreviews({ audio }: Recording) {
  const [requestPreview, { isLoading }] = usePreviewVoiceMutation();
  const [urls, setUrls] = useState<Partial<Record<VoiceType, string>>>({});
  const timers = useRef(new Set<number>());

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) window.clearTimeout(timer);
    };
  }, []);

  const request = async (voiceType: VoiceType) => {
    const { previewUrl } = await requestPreview({ audio, voiceType }).unwrap();
    setUrls((last) => ({ ...last, [voiceType]: previewUrl }));
    timers.current.add(window.setTimeout(() => setUrls((last) => ({ ...last, [voiceType]: undefined })), LIFETIME_MS));
  };

  return { urls, request, isRequesting: isLoading };
}

interface Options {
  recording: Recording;
  /** Null where the server alters voices. */
  device: DeviceVoice | null;
  recipient: Recipient;
  promptId: number | undefined;
  onPromptGone: (id: number) => void;
  announce: (words: string) => void;
  onSent: (message: SentVoice | null) => Promise<boolean>;
}

export function useVoiceMessage({ recording, device, recipient, promptId, onPromptGone, announce, onSent }: Options) {
  const { t } = useTranslation();
  const toast = useToast();
  const voiceErrors = useVoiceErrorText();
  const [voiceType, setVoiceType] = useState<VoiceType | null>(null);
  const [isVoiceMissing, setIsVoiceMissing] = useState(false);
  // Counts requests to listen. Each restarts the player.
  const [playCount, setPlayCount] = useState(0);
  // Could not be played, so it is requested again.
  const brokenPreview = useRef<string | undefined>(undefined);
  const previews = usePreviews(recording);
  const onDevice = useDeviceVoice(device, recording);
  const [altering, setAltering] = useState<'preview' | 'send' | null>(null);
  const [sendVoice, { isLoading: isSending }] = useSendVoiceMutation();
  const { keyFor } = useSubmissionKey();
  const previewUrl = voiceType === null || onDevice.isAble ? undefined : previews.urls[voiceType];
  const previewed =
    previewUrl === undefined ? undefined : { url: previewUrl, seconds: recording.seconds, peaks: recording.levels };
  const preview = voiceType !== null && onDevice.isAble ? onDevice.voices[voiceType] : previewed;

  const choose = (voice: VoiceType) => {
    setVoiceType(voice);
    setIsVoiceMissing(false);
    setPlayCount(0);
    // Likely to be heard next.
    if (onDevice.isAble) void onDevice.alter(voice).catch(() => undefined);
  };

  /**
   * Never falls back to the server: the user must first read that it gets the recording.
   * @returns null on failure, after a notice
   */
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

  const playPreview = async () => {
    if (previews.isRequesting || altering !== null) return;
    if (voiceType === null) {
      setIsVoiceMissing(true);
      return;
    }
    setPlayCount((count) => count + 1);
    if (onDevice.isAble) {
      if (onDevice.voices[voiceType] !== undefined) return;
      announce(t('recorder.announcements.preparing'));
      const heard = await alterFor('preview', voiceType);
      if (heard !== null) announce(t('recorder.announcements.previewReady'));
      return;
    }
    if (previewUrl !== undefined && previewUrl !== brokenPreview.current) return;
    announce(t('recorder.announcements.preparing'));
    try {
      await previews.request(voiceType);
    } catch (error) {
      const isAway = isApiError(error) && error.code === 'unavailable';
      const text = (
        <>
          {t('recorder.failed.preview')}{' '}
          <Reason>{isAway ? t('common.error.media_unavailable') : voiceErrors.text(error)}</Reason>
        </>
      );
      toast({ variant: 'destructive', title: t('recorder.failed.error'), text });
      return;
    }
    announce(t('recorder.announcements.previewReady'));
  };

  const send = async () => {
    if (voiceType === null) {
      setIsVoiceMissing(true);
      return;
    }
    pauseSounds();
    const altered = onDevice.isAble ? await alterFor('send', voiceType) : undefined;
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
    let sent: SentVoice;
    try {
      sent = requireCreated(await sendVoice({ recipient, voice, key }).unwrap());
    } catch (error) {
      if (isApiError(error) && error.code === 'cancelled') return;
      // A recording in the sender's own voice stays in this page.
      if (altered !== undefined && (await keepWaiting(error, { key, recipient, content: voice }))) {
        await onSent(null);
        return;
      }
      if (promptId !== undefined && isApiError(error) && error.code === 'prompt_not_found') onPromptGone(promptId);
      toast({
        variant: 'destructive',
        title: t('recorder.failed.send'),
        text: t('recorder.failed.upload', { text: voiceErrors.message(error) }),
      });
      return;
    }
    // Busy until the notice is there, which says the same.
    setAltering('send');
    if (!(await onSent(sent))) toast({ variant: 'success', icon: SendHorizontal, title: t('recorder.done') });
  };

  const onUnplayable = () => {
    brokenPreview.current = previewUrl;
  };

  return {
    voiceType,
    choose,
    isVoiceMissing,
    isOnDevice: onDevice.isAble,
    share: onDevice.share,
    preview,
    playCount,
    playPreview,
    onUnplayable,
    isPreviewing: previews.isRequesting || altering === 'preview',
    send,
    isSending: isSending || altering === 'send',
  };
}

const Reason = styled.span`
  display: block;
`;
