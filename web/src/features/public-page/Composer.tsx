import { LIMITS } from '@najwa/proto/http/client';
import { EyeOff, SendHorizontal } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../app/use-error-text.js';
import { Button, CounterRing, Icon, ImageInput, RemoveButton, useToast } from '../../components/index.js';
import { firstName, isolate, readText } from '../../lib/text.js';
import { usePicture } from '../../lib/media.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { type PublicProfile, useSendMessageMutation } from './api.js';
import { Attached, ComposerCard, ComposerFooter, ComposerHeader, SendArea, TextField } from './composer-parts.js';
import { ComposerTools } from './ComposerTools.js';
import { EmojiPalette } from './EmojiPalette.js';
import { useDraft } from './use-draft.js';
import { useVoiceMode } from './use-voice-mode.js';

const { max: MAX_LENGTH } = LIMITS.text.message;

/** The form for writing to the owner of the page. */
export function Composer({ recipient }: { recipient: PublicProfile }) {
  const { t } = useTranslation();
  const toast = useToast();
  const errors = useErrorText();
  const paletteId = useId();
  const recorderId = useId();
  const [sendSlot, setSendSlot] = useState<HTMLElement | null>(null);
  const voice = useVoiceMode();
  const file = useRef<HTMLInputElement>(null);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [sentCount, setSentCount] = useState(0);
  const { text, setText, field, insert, suggest } = useDraft();
  const { image, reading, choose, clear } = usePicture({
    maxBytes: LIMITS.messageImageBytes,
    onRefuse: (reason) => {
      toast({
        variant: 'destructive',
        title: t(`common.picture.${reason}`),
        text: t(reason === 'tooLarge' ? 'publicPage.composer.tooLargeText' : 'common.picture.wrongFileText'),
      });
    },
  });
  const [send, { isLoading }] = useSendMessageMutation();
  const { keyFor, renew } = useSubmissionKey();

  const { content, used, fault } = readText(text, LIMITS.text.message);
  const canSend = fault === null && !reading;

  const submit = async () => {
    const key = keyFor(content, image ?? '');
    try {
      await send({
        message: { userId: recipient.id, content, ...(image !== null && { imageUrl: image }) },
        key,
      }).unwrap();
    } catch (error) {
      toast({ variant: 'destructive', title: t('publicPage.composer.failed', { text: errors.text(error) }) });
      return;
    }
    renew();
    // An empty form disables the button, which loses the focus. Move it for keyboard users only: focusing the field
    // would open a phone's keyboard.
    if (document.activeElement?.matches(':focus-visible') === true) field.current?.focus();
    setText('');
    clear();
    setPaletteOpen(false);
    setSentCount((count) => count + 1);
    toast({
      variant: 'success',
      icon: SendHorizontal,
      title: t('publicPage.composer.done'),
      text: t('publicPage.composer.doneText'),
    });
  };

  return (
    <ComposerCard element="section" state="unread" aria-labelledby="composer-title" $sentCount={sentCount}>
      <ComposerHeader>
        <h2 id="composer-title">{t('publicPage.composer.title', { name: isolate(firstName(recipient.name)) })}</h2>
        <p>
          <Icon of={EyeOff} size="sm" />
          {t('publicPage.composer.promise')}
        </p>
      </ComposerHeader>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (voice.Recorder === null && canSend && !isLoading) void submit();
        }}
      >
        {voice.Recorder !== null ? (
          <voice.Recorder
            id={recorderId}
            recipientId={recipient.id}
            sendSlot={sendSlot}
            onHasRecordingChange={voice.setHasRecording}
            onSent={() => {
              voice.finish();
              setSentCount((count) => count + 1);
            }}
          />
        ) : (
          <>
            <TextField
              ref={field}
              value={text}
              rows={4}
              dir={text === '' ? undefined : 'auto'}
              placeholder={t('publicPage.composer.placeholder')}
              aria-label={t('publicPage.composer.label')}
              aria-invalid={fault === 'too_long'}
              readOnly={isLoading}
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
            {image !== null && (
              <Attached $sending={isLoading}>
                <img src={image} alt={t('publicPage.composer.attached')} />
                <RemoveButton label={t('publicPage.composer.removeImage')} disabled={isLoading} onClick={clear} />
              </Attached>
            )}
            {paletteOpen && <EmojiPalette id={paletteId} onPick={insert} />}
          </>
        )}
        <ImageInput ref={file} onChoose={(chosen) => void choose(chosen)} />
        <ComposerFooter>
          <ComposerTools
            disabled={isLoading}
            voice={voice}
            recorderId={recorderId}
            paletteId={paletteId}
            paletteOpen={paletteOpen}
            onImage={() => file.current?.click()}
            onPalette={setPaletteOpen}
            onSuggest={suggest}
          />
          <SendArea ref={setSendSlot}>
            {voice.Recorder === null && (
              <>
                <CounterRing
                  used={used}
                  limit={MAX_LENGTH}
                  label={t('publicPage.composer.count', { used, limit: MAX_LENGTH })}
                />
                <Button
                  type="submit"
                  variant="primary"
                  disabled={!canSend}
                  busy={isLoading ? t('publicPage.composer.sending') : undefined}
                >
                  <Icon of={SendHorizontal} flip />
                  {t('publicPage.composer.send')}
                </Button>
              </>
            )}
          </SendArea>
        </ComposerFooter>
      </form>
    </ComposerCard>
  );
}
