import { useGetRecipientQuery } from './api.js';
import type { Recipient } from './types.js';

/** Looks up recipients by id, one request per account. Undefined while loading or if the account is gone. */
export function useRecipient(userId: number): Recipient | undefined {
  return useGetRecipientQuery(userId, { refetchOnFocus: false, refetchOnReconnect: false }).data;
}
