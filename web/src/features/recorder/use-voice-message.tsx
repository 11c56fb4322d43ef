import type { FieldFault } from '@najwa/proto/http/client';
import { useTranslation } from '../../i18n/index.js';
import { useEffect, useRef, useState } from 'react';
import { SendHorizontal } from 'lucide-react';
import { styled } from 'styled-components';
import { isApiError, requireCreated } from '../../app/api-error.js';
import { useErrorText } from '../../app/use-error-text.js';
import { useToast } from '../../components/index.js';
import { keepWaiting } from '../../lib/keep-waiting.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { pauseSounds } from '../player/index.js';
import {
  type Recipient,
  usePreviewVoiceMutation,
  useSendVoiceMutation,
  type SentVoice,
  type VoiceType,
} from './api.js';
import type { Recording } from './recording.js';

const AUDIO_ERRORS = [
  'required',
  'too_large',
  'too_long',
  'too_short',
  'silent',
  'unsupported',
] as const satisfies readonly FieldFault[];

/** Texts for recordings that the server refused. */
export function useVoiceErrorText() {
  const { t } = useTranslation();
  const errors = useErrorText();

  const text = (error: unknown) => {
    const code = isApiError(error) ? AUDIO_ERRORS.find((known) => known === error.fields['audio']) : undefined;
    return code === undefined ? errors.text(error) : t(`recorder.audio.${code}`);
  };

  return {
    text,
    /** The text after its status. */
    message: (error: unknown) =>
      isApiError(error) && error.status !== null ? `\u2066${String(error.status)}\u2069: ${text(error)}` : text(error),
  };
}

/** The server keeps a preview for ten minutes. Two minutes are left for the upload. */
const LIFETIME_MS = 8 * 60 * 1000;

/** Previews by voice. Each is requested once: the server sends exactly the previewed audio. */
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
    timers.current.add(
      window.setTimeout(() => {
        setUrls((last) => ({ ...last, [voiceType]: undefined }));
      }, LIFETIME_MS),
    );
  };

  return { urls, request, isRequesting: isLoading };
}

interface Options {
  recording: Recording;
  recipient: Recipient;
  promptId: number | undefined;
  onPromptGone: (id: number) => void;
  announce: (words: string) => void;
  /** Called with null if the message waits on this device. */
  onSent: (message: SentVoice | null) => void;
}

/** The actions on a recording: choose a voice, preview it, send it. */
export function useVoiceMessage({ recording, recipient, promptId, onPromptGone, announce, onSent }: Options) {
  const { t } = useTranslation();
  const toast = useToast();
  const voiceErrors = useVoiceErrorText();
  const [voiceType, setVoiceType] = useState<VoiceType | null>(null);
  const [isVoiceMissing, setIsVoiceMissing] = useState(false);
  // Counts the requests to listen. Each one starts the player from the beginning.
  const [playCount, setPlayCount] = useState(0);
  // The preview that could not be played. It is requested again.
  const brokenPreview = useRef<string | undefined>(undefined);
  const previews = usePreviews(recording);
  const [sendVoice, { isLoading: isSending }] = useSendVoiceMutation();
  const { keyFor } = useSubmissionKey();
  const previewUrl = voiceType === null ? undefined : previews.urls[voiceType];

  const choose = (voice: VoiceType) => {
    setVoiceType(voice);
    setIsVoiceMissing(false);
    setPlayCount(0);
  };

  const playPreview = async () => {
    if (previews.isRequesting) return;
    if (voiceType === null) {
      setIsVoiceMissing(true);
      return;
    }
    setPlayCount((count) => count + 1);
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
    const key = keyFor(recording.id, voiceType, String(promptId));
    const voice = {
      audio: recording.audio,
      duration: recording.seconds.toFixed(1),
      voiceType,
      ...(promptId !== undefined && { promptId }),
    };
    let sent: SentVoice;
    try {
      sent = requireCreated(await sendVoice({ voice: { userId: recipient.id, ...voice }, key }).unwrap());
    } catch (error) {
      if (isApiError(error) && error.code === 'cancelled') return;
      if (await keepWaiting(error, { key, recipient, content: voice })) {
        onSent(null);
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
    toast({ variant: 'success', icon: SendHorizontal, title: t('recorder.done') });
    onSent(sent);
  };

  const onUnplayable = () => {
    brokenPreview.current = previewUrl;
  };

  return {
    voiceType,
    choose,
    isVoiceMissing,
    previewUrl,
    playCount,
    playPreview,
    onUnplayable,
    isPreviewing: previews.isRequesting,
    send,
    isSending,
  };
}

const Reason = styled.span`
  display: block;
`;
