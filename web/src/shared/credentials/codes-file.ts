import type { Store } from '../../api/store.js';
import { keepUnsaved } from '../../lib/unsaved-codes.js';
import { accessApi } from './api.js';

/** The first codes of an account. Without them, its page leads to new ones. */
export async function makeFirstCodes(
  dispatch: Store['dispatch'],
  { id, password }: { id: number; password: string },
): Promise<void> {
  keepUnsaved(id, await dispatch(accessApi.endpoints.createRecoveryCodes.initiate(password)).unwrap());
}

export const codesText = (username: string, codes: readonly string[]): string =>
  [`@${username} · ${window.location.host}/reset`, ...codes, ''].join('\n');

export const codesFile = (username: string, codes: readonly string[]): File =>
  new File([codesText(username, codes)], `najwa-${username}.txt`, { type: 'text/plain' });
