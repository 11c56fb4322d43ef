import { useGetRecipientQuery } from './api.js';
import type { Recipient } from './types.js';

/** To whom a message went, asked once for each account; undefined while and where it is not known. */
export function useRecipient(userId: number): Recipient | undefined {
  return useGetRecipientQuery(userId, { refetchOnFocus: false, refetchOnReconnect: false }).data;
}
