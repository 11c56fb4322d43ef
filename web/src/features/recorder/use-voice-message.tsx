import { SendHorizontal } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { useToast } from '../../components/index.js';
import { useSubmissionKey } from '../../lib/use-submission-key.js';
import { pauseSounds } from '../player/index.js';
import { useSendVoiceMutation, type VoiceType } from './api.js';
import type { Take } from './take.js';
import { usePreviews } from './use-previews.js';
import { useVoiceFault } from './use-voice-fault.js';

interface Options {
  take: Take;
  recipientId: number;
  say: (words: string) => void;
  onSent: () => void;
}

/** The actions on a recording: choose a voice, preview it, send it. */
export function useVoiceMessage({ take, recipientId, say, onSent }: Options) {
  const { t } = useTranslation();
  const toast = useToast();
  const faults = useVoiceFault();
  const [voiceType, setVoiceType] = useState<VoiceType | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  // Counts the requests to listen. Each one starts the player from the beginning.
  const [hearing, setHearing] = useState(0);
  // The preview that could not be played. It is requested again.
  const unplayable = useRef<string | undefined>(undefined);
  const previews = usePreviews(take);
  const [sendVoice, { isLoading: isSending }] = useSendVoiceMutation();
  const { keyFor } = useSubmissionKey();
  const previewUrl = voiceType === null ? undefined : previews.urls[voiceType];

  const choose = (voice: VoiceType) => {
    setVoiceType(voice);
    setIsMissing(false);
    setHearing(0);
  };

  const hear = async () => {
    if (previews.isMaking) return;
    if (voiceType === null) {
      setIsMissing(true);
      return;
    }
    setHearing((count) => count + 1);
    if (previewUrl !== undefined && previewUrl !== unplayable.current) return;
    say(t('recorder.said.preparing'));
    try {
      await previews.make(voiceType);
    } catch (error) {
      const text = (
        <>
          {t('recorder.failed.preview')} <Reason>{faults.text(error)}</Reason>
        </>
      );
      toast({ variant: 'destructive', title: t('recorder.failed.error'), text });
      return;
    }
    say(t('recorder.said.previewReady'));
  };

  const send = async () => {
    if (voiceType === null) {
      setIsMissing(true);
      return;
    }
    pauseSounds();
    try {
      await sendVoice({
        voice: { audio: take.audio, userId: recipientId, duration: take.seconds, voiceType },
        key: keyFor(take.id, voiceType),
      }).unwrap();
    } catch (error) {
      toast({
        variant: 'destructive',
        title: t('recorder.failed.send'),
        text: t('recorder.failed.upload', { text: faults.message(error) }),
      });
      return;
    }
    toast({ variant: 'success', icon: SendHorizontal, title: t('recorder.done') });
    onSent();
  };

  const onUnplayable = () => {
    unplayable.current = previewUrl;
  };

  return {
    voiceType,
    choose,
    isMissing,
    previewUrl,
    hearing,
    hear,
    onUnplayable,
    isPreviewing: previews.isMaking,
    send,
    isSending,
  };
}

const Reason = styled.span`
  display: block;
`;
