import type { Answer, BuiltRequest } from '@najwa/proto/http/client';
import { useState } from 'react';
import { useStore } from 'react-redux';
import { type ApiError, NO_ANSWER } from '../api/api-error.js';
import { makeCall, UPLOAD } from '../api/call.js';
import type { Store } from '../api/store.js';
import type { Waiting } from '../lib/outbox/store.js';
import { useSubmissionKey } from '../lib/submission-key.js';

type Sent = Answer<'createMessage'>;

const isSent = (data: unknown): data is Sent => typeof data === 'object' && data !== null && 'content' in data;

/** Without an answer, keeps the message on this device. @returns whether it waits now */
async function keepWaiting(
  { code, status }: ApiError,
  message: Pick<Waiting, 'key' | 'recipient' | 'content'>,
): Promise<boolean> {
  // A captive portal answers everything with its own page.
  const isForeign = code === 'unreadable' && (status ?? 0) < 400;
  if (code !== 'offline' && !isForeign) return false;
  try {
    // Loaded by the form before the connection was lost. No other file could be loaded now.
    return await (await import('./outbox/index.js')).keepForLater(message);
  } catch {
    return false;
  }
}

const ignore = () => undefined;

/** Works before the store's code has loaded. */
export function useSubmission() {
  const store = useStore() as Store;
  const { keyFor, renew, adopt } = useSubmissionKey();
  const [refusal, setRefusal] = useState<ApiError>();

  /**
   * @param message if it may wait on this device
   * @returns null if it waits there, undefined if the user cancelled
   * @throws {ApiError}
   */
  const submit = async (request: BuiltRequest, message?: Parameters<typeof keepWaiting>[1]) => {
    setRefusal(undefined);
    const line = { extra: store.address, signal: new AbortController().signal };
    const { data, error } = await makeCall(request, line, UPLOAD);
    // If the store's code is not loaded, nothing is stale.
    void import('./after-send.js').then(({ afterSend }) => afterSend(store, error), ignore);
    const sent = isSent(data) ? data : null;
    // A captive portal may answer anything with an empty page.
    const failure = error ?? NO_ANSWER;
    if (sent === null) {
      if (failure.code === 'cancelled') return undefined;
      if (!message || !(await keepWaiting(failure, message))) {
        setRefusal(failure);
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- As `unwrap()` does.
        throw failure;
      }
    }
    renew();
    return sent;
  };

  return { keyFor, adopt, submit, refusal };
}
