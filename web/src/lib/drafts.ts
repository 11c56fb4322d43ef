/** The last try to send a draft. It may have arrived although the page never got the answer. */
export interface Try {
  /** Its Idempotency-Key. */
  key: string;
  /** The question that it answers, as part of the submission. */
  prompt: string;
  hasPicture: boolean;
}

/** A text that somebody began to write to a recipient. It never leaves the device. */
export interface Draft {
  text: string;
  /** The account that wrote it, or null. Others who use the browser do not see it. */
  account: number | null;
  tried?: Try;
}

/** The tab forgets by itself. The device keeps only what its writer wants kept. */
const PLACES = { tab: () => window.sessionStorage, device: () => window.localStorage } as const;
type Place = keyof typeof PLACES;

const PREFIX = 'draft-';
const keyOf = (recipient: number): string => `${PREFIX}${String(recipient)}`;

/** A browser may refuse its storage, or have no room. Then nothing is kept. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

function isTry(value: unknown): value is Try {
  if (typeof value !== 'object' || value === null) return false;
  const { key, prompt, hasPicture } = value as Partial<Record<keyof Try, unknown>>;
  return typeof key === 'string' && typeof prompt === 'string' && typeof hasPicture === 'boolean';
}

function parse(kept: string | null): Draft | null {
  const { text, account, tried } = JSON.parse(kept ?? '{}') as Partial<Record<keyof Draft, unknown>>;
  if (typeof text !== 'string' || (account !== null && typeof account !== 'number')) return null;
  return { text, account, ...(isTry(tried) && { tried }) };
}

const readFrom = (place: Place, recipient: number): Draft | null =>
  attempt(() => parse(PLACES[place]().getItem(keyOf(recipient))), null);

function write(place: Place, recipient: number, draft: Draft): void {
  attempt(() => {
    PLACES[place]().setItem(keyOf(recipient), JSON.stringify(draft));
  }, undefined);
}

/** True if the device keeps a text of the account for the recipient. */
export const isKeptOnDevice = (recipient: number, account: number): boolean =>
  readFrom('device', recipient)?.account === account;

/** The text for a recipient, if it is the reader's own. Somebody may have signed in since they wrote it. */
export function readDraft(recipient: number, account: number | null): string | null {
  const inTab = readFrom('tab', recipient);
  if (inTab !== null && (inTab.account === null || inTab.account === account)) return inTab.text;
  const onDevice = readFrom('device', recipient);
  return onDevice !== null && onDevice.account === account ? onDevice.text : null;
}

/** Keeps a text in this tab, and on the device if an earlier state of it is kept there. */
export function keepDraft(recipient: number, draft: Draft): void {
  const before = readFrom('tab', recipient);
  write('tab', recipient, before?.text === draft.text ? { ...before, ...draft } : draft);
  if (draft.account !== null && isKeptOnDevice(recipient, draft.account)) write('device', recipient, draft);
}

export const keepOnDevice = (recipient: number, draft: Draft & { account: number }): void => {
  write('device', recipient, draft);
};

export function forgetOnDevice(recipient: number): void {
  attempt(() => {
    PLACES.device().removeItem(keyOf(recipient));
  }, undefined);
}

/** Removes what the account wrote to a recipient. */
export function forgetDraft(recipient: number, account: number | null): void {
  attempt(() => {
    PLACES.tab().removeItem(keyOf(recipient));
  }, undefined);
  if (account !== null && isKeptOnDevice(recipient, account)) forgetOnDevice(recipient);
}

/** Notes that the text in this tab is on its way. */
export function markTried(recipient: number, tried: Try): void {
  const draft = readFrom('tab', recipient);
  if (draft !== null) write('tab', recipient, { ...draft, tried });
}

/** The last try to send the text, if it has not changed since. */
export function readTried(recipient: number, text: string): Try | undefined {
  const draft = readFrom('tab', recipient);
  return draft?.text === text ? draft.tried : undefined;
}

/** Removes a text that went out, unless another one has been begun since. */
export function forgetTried(recipient: number, key: string): void {
  const draft = readFrom('tab', recipient);
  if (draft?.tried?.key === key) forgetDraft(recipient, draft.account);
}

const keysIn = (place: Place): string[] =>
  attempt(() => Object.keys(PLACES[place]()).filter((key) => key.startsWith(PREFIX)), []);

export const hasDrafts = (): boolean => keysIn('tab').length + keysIn('device').length > 0;

export function forgetDrafts(): void {
  for (const place of ['tab', 'device'] as const)
    for (const key of keysIn(place))
      attempt(() => {
        PLACES[place]().removeItem(key);
      }, undefined);
}
