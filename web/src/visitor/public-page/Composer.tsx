import { buildRequest, LIMITS } from '@najwa/proto/http/client';
import { EyeOff, SendHorizontal } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { isApiError } from '../../api/api-error.js';
import { Button, CounterRing, Icon, optionalPart, RemoveButton, useOutcome } from '../../ui/index.js';
import { directionOf, firstName, isolate, readText } from '../../lib/text.js';
import { usePicture, WRONG_FILE_TEXTS } from '../../lib/media.js';
import { onIdle, useOnDemand } from '../../lib/on-demand.js';
import { addWayBack } from '../../lib/add-way.js';
import { useHydrated } from '../../lib/hooks.js';
import type { messageRequest, Recipient } from '../../lib/message-request.js';
import { isForLater } from '../../lib/submission-key.js';
import {
  Attached,
  ComposerCard,
  ComposerFooter,
  ComposerHeader,
  PALETTE,
  RECORDER,
  SendArea,
  SendButton,
  TextField,
} from './composer-parts.js';
import { ComposerTools } from './ComposerTools.js';
import { useSubmission } from '../use-submission.js';
import type { PublicProfile, SentMessage, Unsent } from './types.js';
import { useDraft } from './use-draft.js';
import { useQuietQuestion } from './use-quiet-question.js';
import { useVoiceMode } from './use-voice-mode.js';

const AskedQuestion = optionalPart(async () => (await import('./late.js')).AskedQuestion);
const WhoSees = optionalPart(async () => (await import('./late.js')).WhoSees);
const UnsentNotice = optionalPart(async () => (await import('./UnsentNotice.js')).UnsentNotice);
const FormFoot = optionalPart(async () => (await import('./late.js')).FormFoot);
const QuietQuestion = optionalPart(async () => (await import('./QuietQuestion.js')).QuietQuestion);
const loadPalette = async () => (await import('./EmojiPalette.js')).EmojiPalette;

const NOTICE_WAIT_MS = 5_000;
const SENT_TEXTS = ['wayBack'] as const;
const loadSentNotice = async () => (await import('../way-back/index.js')).SentNotice;

const HELP_TEXTS = ['outbox'] as const;
const loadHelp = async () => {
  // Loaded early: they keep messages offline and send large ones, when nothing could be loaded any more.
  await Promise.all([import('../outbox/index.js'), import('../../lib/send-with-progress.js')]);
  return (await import('./DeviceHelp.js')).DeviceHelp;
};

/** Loaded with the help above. Without it no draft is kept. */
const loadDrafts = () => import('../../lib/drafts.js');
const ignore = () => undefined;
const focusHeading = (heading: HTMLElement | null) => heading?.focus();

/** Sent before the scripts ran (before-paint.js). The page's key makes another try idempotent. */
const wasSentByBrowser = (form: HTMLFormElement | null | undefined): boolean => form?.dataset['sent'] !== undefined;

const { max: MAX_LENGTH } = LIMITS.text.message;
/** In code units. The server counts characters, and one emoji may have many. */
const MOST_CODE_UNITS = 4 * MAX_LENGTH;

const UNSENT = 'unsent';

interface Props {
  recipient: PublicProfile | (Recipient & { prompts?: undefined });
  asked?: number | undefined;
  unsent: Unsent | undefined;
  /** Of a conversation's next message. Its code loads with the page of the way back, not with this form. */
  next?: { head: ReactNode; placeholder: string; request: typeof messageRequest };
}

export function Composer({ recipient, asked, unsent, next }: Props) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [sendSlot, setSendSlot] = useState<HTMLElement | null>(null);
  const [bandSlot, setBandSlot] = useState<HTMLElement | null>(null);
  const voice = useVoiceMode();
  const file = useRef<HTMLInputElement>(null);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [sent, setSent] = useState<SentMessage | null>(null);
  const { Part: SentNotice, load: loadNotice, preload: preloadNotice } = useOnDemand(loadSentNotice, SENT_TEXTS);
  const { Part: DeviceHelp, preload: preloadHelp } = useOnDemand(loadHelp, HELP_TEXTS);
  const { Part: EmojiPalette, load: openPalette } = useOnDemand(loadPalette);
  const [sendLater, setSendLater] = useState<ReactNode>();
  const { text, setText, field, insert, suggest } = useDraft(unsent?.content);
  const { image, reading, choose, put, clear } = usePicture({
    maxBytes: LIMITS.messageImageBytes,
    onRefuse: (reason) => {
      say.toast({
        variant: 'destructive',
        title: t(`common.picture.${reason === 'tooLarge' ? reason : 'wrongFile'}`),
        text: t(reason === 'tooLarge' ? 'publicPage.composer.tooLargeText' : WRONG_FILE_TEXTS[reason]),
      });
    },
  });
  const { keyFor, adopt, submit, refusal } = useSubmission();
  // From the first tap: loading before the call may take a while.
  const [isSending, setSending] = useState(false);

  const { content, used, fault } = readText(text, LIMITS.text.message);
  const isTooLong = fault === 'too_long';
  const canSend = fault === null && !reading;
  const question = useQuietQuestion(content);
  const isUnsent = text === unsent?.content;
  const [dropped, setDropped] = useState<number>();
  const prompt = recipient.prompts?.find(({ id }) => id === asked && id !== dropped);
  const writeWithoutQuestion = useCallback(
    (id: number) => {
      setDropped(id);
      field.current?.focus();
    },
    [field],
  );

  // Before the connection is lost: then it could not be loaded.
  useEffect(() => onIdle(preloadHelp), [preloadHelp]);

  // Native validation is for the form without scripts.
  const isReady = useHydrated();
  useEffect(() => {
    // Chosen before hydration.
    const [early] = file.current?.files ?? [];
    if (early != null && !wasSentByBrowser(file.current?.form)) void choose(early);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);

  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  /** @returns false if there is no link, or the page is gone */
  const showWayBack = async (message: SentMessage | null): Promise<boolean> => {
    if (message?.wayBack == null) return false;
    const { wayBack: path, id: messageId, createdAt: sentAt } = message;
    addWayBack({ path, messageId, username: recipient.username, sentAt });
    if (!isShown.current) return false;
    // On a dead connection it neither loads nor fails.
    await Promise.race([loadNotice().catch(ignore), new Promise((resolve) => setTimeout(resolve, NOTICE_WAIT_MS))]);
    setSent(message);
    return true;
  };

  const showPalette = async (open: boolean) => {
    try {
      if (open) await openPalette();
      setPaletteOpen(open);
    } catch {
      say.toast({ variant: 'missing', title: t('common.error.offline') });
    }
  };

  const sendMessage = async () => {
    if (await question.ask()) return;
    const later = isForLater();
    const answered = String([prompt?.id, later]);
    const key = keyFor(content, image ?? '', answered);
    preloadNotice();
    void loadDrafts().then(({ recordAttempt }) => recordAttempt(recipient, text, image, key, answered), ignore);
    const written = { content, promptId: prompt?.id, imageUrl: image ?? undefined, later };
    let message: SentMessage | null | undefined;
    try {
      message = await submit(
        next
          ? next.request(recipient, written, key)
          : buildRequest('createMessage', { body: { userId: recipient.id, ...written }, idempotencyKey: key }),
        { key, recipient, content: written },
      );
    } catch (error) {
      if (isApiError(error) && error.code === 'prompt_not_found') setDropped(prompt?.id);
      say.failed(t('publicPage.composer.failed', { text: say.errors.text(error) }));
    }
    if (message === undefined) return;
    // The page may have been left, and would offer the text again.
    void loadDrafts().then(({ forgetSent }) => forgetSent(key), ignore);
    const isReplaced = await showWayBack(message);
    // In one update with the notice, which takes the written sheet over.
    setText('');
    clear();
    setPaletteOpen(false);
    if (isReplaced) return;
    // The disabled button loses the focus. Keyboard users only: focusing the field opens a phone's keyboard.
    if (document.activeElement?.matches(':focus-visible') === true) field.current?.focus();
    if (message !== null) say.toast({ variant: 'success', icon: SendHorizontal, title: t('publicPage.composer.done') });
  };

  const writeAgain = () => {
    setSent(null);
    requestAnimationFrame(() => field.current?.focus());
  };
  if (sent !== null && SentNotice !== null)
    return <SentNotice sent={sent} username={recipient.username} onAgain={writeAgain} />;
  // Its code did not load, and the server shows the address only once.
  if (sent?.wayBack != null)
    return (
      <ComposerCard element="section" state="sent">
        <ComposerHeader>
          <h2 ref={focusHeading} tabIndex={-1}>
            {t('publicPage.composer.done')}
          </h2>
          <p>{t('publicPage.composer.way')}</p>
        </ComposerHeader>
        <p dir="ltr">
          <a href={sent.wayBack}>
            {window.location.host}
            {sent.wayBack}
          </a>
        </p>
        <Button onClick={writeAgain}>{t('common.action.close')}</Button>
      </ComposerCard>
    );
  return (
    <div>
      <div ref={setBandSlot} />
      <ComposerCard element="section" state="unread" aria-labelledby="composer-title">
        {prompt && <AskedQuestion prompt={prompt} owner={recipient as PublicProfile} onDrop={writeWithoutQuestion} />}
        {next?.head ?? (
          <>
            <ComposerHeader>
              <h2 id="composer-title">
                {prompt
                  ? t('publicPage.composer.answer')
                  : t('publicPage.composer.title', { name: isolate(firstName(recipient.name)) })}
              </h2>
              <p data-writing="nameless">
                <Icon of={EyeOff} size="sm" />
                {t('publicPage.composer.nameless')}
              </p>
            </ComposerHeader>
            <WhoSees />
          </>
        )}
        <form
          id="message-form"
          method="post"
          action=""
          encType="multipart/form-data"
          noValidate={isReady}
          onSubmit={(event) => {
            if (wasSentByBrowser(event.currentTarget)) return;
            event.preventDefault();
            if (voice.Recorder !== null || reading || isSending) return;
            if (!canSend) {
              field.current?.focus();
              return;
            }
            setSending(true);
            void sendMessage().finally(() => setSending(false));
          }}
        >
          {voice.Recorder !== null ? (
            <voice.Recorder
              id={RECORDER}
              recipient={recipient}
              promptId={prompt?.id}
              onPromptGone={setDropped}
              sendSlot={sendSlot}
              onHasRecordingChange={voice.setHasRecording}
              onSent={(message) => showWayBack(message).finally(voice.finish)}
            />
          ) : (
            <>
              {prompt && <input type="hidden" name="ask" value={prompt.id} />}
              <TextField
                ref={field}
                name="content"
                value={text}
                rows={4}
                required
                maxLength={isReady ? undefined : MOST_CODE_UNITS}
                dir={directionOf(text)}
                placeholder={prompt ? ' ' : (next?.placeholder ?? t('publicPage.composer.placeholder'))}
                aria-label={t('publicPage.composer.label')}
                aria-invalid={isTooLong}
                aria-describedby={isUnsent ? UNSENT : undefined}
                readOnly={isSending}
                onFocus={() => {
                  voice.preload();
                  preloadNotice();
                }}
                onChange={(event) => setText(event.target.value)}
              />
              {isUnsent && <UnsentNotice id={UNSENT} error={unsent.error} />}
              {image !== null && (
                <Attached>
                  <img src={image} alt={t('publicPage.composer.attached')} />
                  <RemoveButton label={t('publicPage.composer.removeImage')} disabled={isSending} onClick={clear} />
                </Attached>
              )}
              {question.isAsking && <QuietQuestion onReword={() => field.current?.focus()} />}
              {EmojiPalette !== null && paletteOpen && <EmojiPalette id={PALETTE} onPick={insert} />}
            </>
          )}
          {DeviceHelp !== null && (
            <DeviceHelp
              recipient={recipient}
              text={text}
              image={image}
              restore={{ setText, put, adopt }}
              onPicture={!isSending && voice.Recorder === null && choose}
              refusal={refusal}
              bandSlot={bandSlot}
              onLineChange={setSendLater}
            />
          )}
          <ComposerFooter>
            <ComposerTools
              disabled={isSending}
              voice={voice}
              paletteOpen={paletteOpen}
              imageInput={file}
              onImage={(chosen) => void choose(chosen)}
              onPalette={(open) => void showPalette(open)}
              onSuggest={!next && (() => void suggest())}
            />
            <SendArea ref={setSendSlot}>
              {voice.Recorder === null && (
                <>
                  <CounterRing
                    used={used}
                    limit={MAX_LENGTH}
                    label={
                      isTooLong
                        ? t('publicPage.composer.excess', { count: used - MAX_LENGTH })
                        : t('publicPage.composer.count', { used, limit: MAX_LENGTH })
                    }
                  />
                  <SendButton
                    type="submit"
                    variant="primary"
                    aria-disabled={(isReady && !canSend) || undefined}
                    aria-label={
                      isReady && fault === 'required' && sendLater === undefined
                        ? t('publicPage.composer.sendEmpty')
                        : undefined
                    }
                    busy={isSending ? t('publicPage.composer.sending') : undefined}
                  >
                    {sendLater ?? (
                      <>
                        <Icon of={SendHorizontal} flip />
                        {t(question.isAsking ? 'publicPage.composer.sendAnyway' : 'publicPage.composer.send')}
                      </>
                    )}
                  </SendButton>
                </>
              )}
            </SendArea>
          </ComposerFooter>
          <FormFoot unsent={unsent} />
        </form>
      </ComposerCard>
    </div>
  );
}
