import { type ComponentProps, useEffect, useRef } from 'react';
import { isApiError } from '../../app/api-error.js';
import { useProofProgress, useUpload } from '../../app/progress.js';
import { Optional } from '../../components/index.js';
import { forgetDraft, keepDraft, readAttempt, readDraft, type SendAttempt } from '../../lib/drafts.js';
import { Outbox } from '../outbox/index.js';
import { useCurrentUser } from '../session/index.js';
import { UploadProgress } from './UploadProgress.js';
import { KeepText } from './KeepText.js';
import { lazyPart } from '../../lib/on-demand.js';
import { watchKeyboard } from '../../lib/watch-keyboard.js';

const ShortCheck = lazyPart(async () => (await import('./ShortCheck.js')).ShortCheck);

interface Props extends ComponentProps<typeof Outbox> {
  recipient: number;
  text: string;
  /** @param tried the last attempt to send it, if any */
  onRestore: (text: string, tried: SendAttempt | undefined) => void;
  refusal: unknown;
}

/** Keeps drafts, solves puzzles, and sends once online. */
export function DeviceHelp({ recipient, text, onRestore, refusal, ...outbox }: Props) {
  const { user, loading } = useCurrentUser();
  const account = user?.id ?? null;
  const proof = useProofProgress();
  const upload = useUpload();
  useEffect(watchKeyboard, []);
  const isRestored = useRef(false);
  const last = useRef('');
  const writer = useRef<number | null>(null);

  useEffect(() => {
    if (loading) return;
    // The next user of the device gets a form of their own.
    if (writer.current !== null && writer.current !== account) return;
    writer.current = account;
    if (!isRestored.current) {
      isRestored.current = true;
      const draft = readDraft(recipient, account);
      // The browser itself may have restored it.
      if (draft !== null && (text === '' || text === draft)) {
        last.current = draft;
        onRestore(draft, readAttempt(recipient, account, draft));
        return;
      }
    }
    if (text !== '') keepDraft(recipient, { text, account });
    else if (last.current !== '') forgetDraft(recipient, account);
    last.current = text;
  }, [loading, recipient, account, text, onRestore]);

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
          <KeepText recipient={recipient} account={user.id} text={text} />
        </Optional>
      )}
      <Outbox {...outbox} />
    </>
  );
}
