import type { BuiltRequest } from '@najwa/proto/http/client';
import { useState } from 'react';
import { useStore } from 'react-redux';
import { type ApiError, requireCreated } from '../../api/api-error.js';
import { makeCall, UPLOAD } from '../../api/call.js';
import type { Store } from '../../api/store.js';
import type { SentMessage } from './types.js';

/** Works before the store's code has loaded. */
export function useSendMessage() {
  const store = useStore() as Store;
  const [refusal, setRefusal] = useState<ApiError>();

  const send = async (request: BuiltRequest): Promise<SentMessage> => {
    setRefusal(undefined);
    const line = { extra: store.address, signal: new AbortController().signal };
    const { data, error } = await makeCall(request, line, UPLOAD);
    // If the store's code is not loaded, nothing is stale.
    void import('./after-send.js').then(({ afterSend }) => afterSend(store, error), ignore);
    if (error === undefined) return requireCreated(data as SentMessage);
    setRefusal(error);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- As `unwrap()` does.
    throw error;
  };

  return { send, refusal };
}

const ignore = () => undefined;
