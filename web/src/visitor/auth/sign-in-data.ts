import { createContext } from 'react';
import type { ApiError } from '../../api/api-error.js';

/** Written into the page by the gateway after a form was sent without scripts. */
export interface SignInData {
  refused?: Refused;
  /** `codes` is null if none could be generated. */
  created?: { username: string; host: string; codes: readonly string[] | null };
}

export interface Refused {
  /** Input to restore. Never a password. */
  kept: Partial<Record<string, string>>;
  error:
    | 'no_cookies'
    | (Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'> & { fields?: Record<string, string> });
}

/** Null unless the gateway rendered the page. */
export const SignInDataContext = createContext<SignInData | null>(null);

export function faultsOf(
  error: Refused['error'] | undefined,
): Record<string, { type: 'server'; message: string }> | undefined {
  if (error === undefined || error === 'no_cookies' || error.fields === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, message]) => [field, { type: 'server', message }]),
  );
}
