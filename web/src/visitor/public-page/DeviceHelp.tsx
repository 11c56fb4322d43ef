import { LIMITS } from '@najwa/proto/http/client';
import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react';
import { isApiError } from '../../api/api-error.js';
import { useProofProgress, useUpload } from '../../api/progress.js';
import { Optional } from '../../ui/index.js';
import {
  addresseeOf,
  forgetDraft,
  isLarge,
  keepDraft,
  keepPicture,
  readAttempt,
  readDraft,
  toPicture,
} from '../../lib/drafts.js';
import type { Picture } from '../../lib/media.js';
import type { Recipient } from '../../lib/message-request.js';
import type { useSubmissionKey } from '../../lib/submission-key.js';
import { readText } from '../../lib/text.js';
import { Outbox } from '../outbox/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { UploadProgress } from './UploadProgress.js';
import { KeepText } from './KeepText.js';
import { lazyPart } from '../../lib/on-demand.js';
import { watchKeyboard } from '../../lib/watch-keyboard.js';

const ShortCheck = lazyPart(async () => (await import('./ShortCheck.js')).ShortCheck);

/** A picture that is pasted or dropped on the page. Else the browser opens it in place of the page, with what is written. */
function useGivenPicture(onPicture: Props['onPicture']): void {
  const give = useEffectEvent((event: Event, transfer: DataTransfer | null) => {
    // Word processors give a picture of a text with it.
    if (transfer?.types.includes('Files') !== true || transfer.types.includes('text/plain')) return;
    if (event.target instanceof Element && event.target.closest('[role=dialog]') !== null) return;
    event.preventDefault();
    const [file] = transfer.files;
    if (event.type !== 'dragover' && file !== undefined && onPicture) void onPicture(file);
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => give(event, event.clipboardData);
    const drop = (event: DragEvent) => give(event, event.dataTransfer);
    window.addEventListener('paste', paste);
    for (const type of ['dragover', 'drop'] as const) window.addEventListener(type, drop);
    return () => {
      window.removeEventListener('paste', paste);
      for (const type of ['dragover', 'drop'] as const) window.removeEventListener(type, drop);
    };
  }, []);
}

interface Props extends ComponentProps<typeof Outbox> {
  recipient: Recipient;
  text: string;
  image: string | null;
  /** Of the form. */
  restore: {
    setText: (text: string) => void;
    put: (picture: Picture) => void;
    adopt: ReturnType<typeof useSubmissionKey>['adopt'];
  };
  /** Takes a picture that is pasted or dropped. False while none can be chosen. */
  onPicture: false | ((file: File) => Promise<void>);
  refusal: unknown;
}

/** Keeps drafts, takes pasted and dropped pictures, solves puzzles, and sends once online. */
export function DeviceHelp({ recipient: { id, follows }, text, image, restore, onPicture, refusal, ...outbox }: Props) {
  const { user, loading } = useCurrentUser();
  const account = user?.id ?? null;
  const addressee = addresseeOf({ id, follows });
  const proof = useProofProgress();
  const upload = useUpload();
  useEffect(watchKeyboard, []);
  useGivenPicture(onPicture);
  // A text on its way is no draft any more.
  const isWriting = text === '' || onPicture !== false;
  const isRestored = useRef(false);
  const last = useRef({ text: '', image: '' });
  const writer = useRef<number | null>(null);

  const bringBack = useEffectEvent((kept: string, src: string | null) => {
    restore.setText(kept);
    if (src !== null) restore.put(toPicture(src));
    const tried = readAttempt(addressee, account, kept) ?? readAttempt(`picture-${addressee}`, account, src ?? '');
    if (tried?.hasPicture === (src !== null))
      restore.adopt(tried.key, readText(kept, LIMITS.text.message).content, src ?? '', tried.prompt);
  });

  const bringLarge = useEffectEvent(async (id: string) => {
    const src = await (await import('../../lib/large-pictures.js')).readLarge(id);
    if (src === null || last.current.image !== '') return;
    last.current.image = src;
    bringBack(last.current.text, src);
  });

  useEffect(() => {
    if (loading || !isWriting) return;
    // The next user of the device gets a form of their own.
    if (writer.current !== null && writer.current !== account) return;
    writer.current = account;
    if (!isRestored.current) {
      isRestored.current = true;
      const draft = readDraft(addressee, account) ?? '';
      const src = image === null ? readDraft(`picture-${addressee}`, account) : null;
      // The browser itself may have brought the text back.
      const begun = text === '' || text === draft ? draft : text;
      if ((draft !== '' && begun === draft) || src !== null) {
        const isElsewhere = src !== null && isLarge(src);
        last.current = { text: begun, image: isElsewhere ? '' : (src ?? '') };
        if (isElsewhere) void bringLarge(src);
        bringBack(begun, isElsewhere ? null : src);
        return;
      }
    }
    const before = last.current;
    last.current = { text, image: image ?? '' };
    if (text !== '') keepDraft(addressee, { text, account });
    else if (before.text !== '') forgetDraft(addressee, account);
    if (image !== before.image && (image ?? before.image) !== '') keepPicture(addressee, image ?? '', account);
  }, [loading, isWriting, addressee, account, text, image]);

  return (
    <>
      {upload !== null && <UploadProgress {...upload} />}
      {proof !== null && (
        <Optional>
          <ShortCheck percent={Math.round(100 * proof)} />
        </Optional>
      )}
      {user !== null && text !== '' && isApiError(refusal) && refusal.code === 'account_too_new' && (
        <Optional>
          <KeepText recipient={addressee} account={user.id} text={text} />
        </Optional>
      )}
      <Outbox {...outbox} />
    </>
  );
}
