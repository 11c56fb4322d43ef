import { createContext } from 'react';
import type { ApiError } from '../../app/api-error.js';

/** Data that the gateway writes into the page after a form was sent without scripts. */
export interface SignInData {
  refused?: Refused;
  /** The account that was made, at the host where it was asked for. Its codes are null if there are none. */
  created?: { username: string; host: string; codes: readonly string[] | null };
}

export interface Refused {
  /** Fields as they were typed. No page holds a password. */
  kept: Partial<Record<string, string>>;
  error:
    | 'no_cookies'
    | (Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'> & { fields?: Record<string, string> });
}

/** Data of the page that the gateway rendered. Null on a page that the client opened itself. */
export const SignInDataContext = createContext<SignInData | null>(null);

/** Faults of the fields as the form's state has them. */
export function faultsOf(
  error: Refused['error'] | undefined,
): Record<string, { type: 'server'; message: string }> | undefined {
  if (error === undefined || error === 'no_cookies' || error.fields === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, message]) => [field, { type: 'server', message }]),
  );
}
