import { isExpired } from './kept-for.js';
import type { Picture } from './media.js';
import type { Recipient } from './message-request.js';
import { device, tab } from './storage.js';
import { createKey } from './submission-key.js';

/** It may have arrived although the answer was lost. */
interface SendAttempt {
  key: string;
  prompt: string;
  hasPicture: boolean;
}

/** The id of a recipient, or the conversation that goes on. */
type Addressee = number | `follows-${string}`;

export const addresseeOf = ({ id, follows }: Pick<Recipient, 'id' | 'follows'>): Addressee =>
  follows === undefined ? id : `follows-${follows}`;

/**
 * The message that a text replies to, the addressee of a picture, whose text is its data URL or the id of a large one, or
 * a form of the settings, whose text is JSON.
 */
export type Target = Addressee | `reply-${number}` | `picture-${Addressee}` | `form-${string}`;

/** Never leaves the device. */
export interface Draft {
  text: string;
  /** Its writer, or null. Other users of the browser do not see it. */
  account: number | null;
  tried?: SendAttempt;
  /** When the device began to keep it, or its last change. */
  keptAt?: string;
}

/** A tab's draft ends with it, the device's after a while. */
const PLACES = { tab, device } as const;
type Place = keyof typeof PLACES;

const PREFIX = 'draft-';
/** One per writer: the next user must not overwrite it. */
const keyOf = (target: Target, account: number | null) =>
  `${PREFIX}${target}${account === null ? '' : `-of-${String(account)}`}` as const;

function isAttempt(value: unknown): value is SendAttempt {
  if (typeof value !== 'object' || value === null) return false;
  const { key, prompt, hasPicture } = value as Partial<Record<keyof SendAttempt, unknown>>;
  return typeof key === 'string' && typeof prompt === 'string' && typeof hasPicture === 'boolean';
}

function toDraft(kept: unknown): Draft | null {
  const { text, account, tried, keptAt } = (kept ?? {}) as Partial<Record<keyof Draft, unknown>>;
  if (typeof text !== 'string' || (account !== null && typeof account !== 'number')) return null;
  if (typeof keptAt === 'string' && isExpired(keptAt)) return null;
  return { text, account, ...(isAttempt(tried) && { tried }) };
}

const readFrom = (place: Place, target: Target, account: number | null): Draft | null =>
  toDraft(PLACES[place].readJson(keyOf(target, account)));

/** An account without a draft takes over what was written before it signed in. */
const readInTab = (target: Target, account: number | null): Draft | null =>
  readFrom('tab', target, account) ?? readFrom('tab', target, null);

/** A draft that was taken over has an owner. */
function endTakeOver(target: Target, account: number | null): void {
  if (readFrom('tab', target, account) === null) erase('tab', keyOf(target, null));
}

function write(place: Place, target: Target, draft: Draft): void {
  const kept = place === 'device' ? { ...draft, keptAt: new Date().toISOString() } : draft;
  PLACES[place].write(keyOf(target, draft.account), JSON.stringify(kept));
}

export const isKeptOnDevice = (target: Target, account: number): boolean =>
  readFrom('device', target, account) !== null;

/** Only the reader's own: another user may have signed in since. */
export function readDraft(target: Target, account: number | null): string | null {
  const draft = readInTab(target, account) ?? (account === null ? null : readFrom('device', target, account));
  return draft?.text ?? null;
}

/** In this tab, and on the device if an earlier state is kept there. */
export function keepDraft(target: Target, draft: Draft): void {
  const { account, text } = draft;
  const before = readInTab(target, account);
  endTakeOver(target, account);
  write('tab', target, before?.text === text ? { ...before, ...draft } : draft);
  if (account !== null && isKeptOnDevice(target, account)) write('device', target, draft);
}

/** Letters of pictures in a tab at once. Texts need some of the room, too. */
const MOST_OF_PICTURES = 4_000_000;

/** Keeps a picture for a recipient in this tab, in place of others where there is no room. @param src empty for none */
export function keepPicture(recipient: Addressee, src: string, account: number | null): void {
  const target: Target = `picture-${recipient}`;
  forgetDraft(target, account);
  const others = keysIn('tab').filter((key) => key.startsWith(`${PREFIX}picture-`));
  const text = src.length > MOST_OF_PICTURES ? `${LARGE}${createKey()}` : src;
  const taken = others.reduce((sum, key) => sum + (tab.read(key)?.length ?? 0), text.length);
  if (taken > MOST_OF_PICTURES) for (const key of others) erase('tab', key);
  if (text === '') return;
  keepDraft(target, { text, account });
  if (isLarge(text)) void large().then(({ keepLarge }) => keepLarge(text, src));
}

/** Stands for a picture in its draft. */
const LARGE = 'large-';
export const isLarge = (text: string): boolean => text.startsWith(LARGE);
const large = () => import('./large-pictures.js');

/** @param src data URL */
export function toPicture(src: string): Picture {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/.exec(src) ?? [];
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return { src, file: new File([bytes], 'picture', { type }) };
}

/** Stands for a recipient: the next photo of the account's own. */
export const OWN_PHOTO = 0;

export async function readOwnPhoto(account: number): Promise<Picture | null> {
  const kept = readDraft(`picture-${OWN_PHOTO}`, account);
  const src = kept !== null && isLarge(kept) ? await (await large()).readLarge(kept) : kept;
  return src === null ? null : toPicture(src);
}

/** With the picture that it names. */
function erase(place: Place, key: DraftKey): void {
  const text = toDraft(PLACES[place].readJson(key))?.text ?? '';
  if (isLarge(text) && key.startsWith(`${PREFIX}picture-`)) void large().then(({ forgetLarge }) => forgetLarge(text));
  PLACES[place].write(key, null);
}

export const keepOnDevice = (target: Target, draft: Draft & { account: number }): void => {
  write('device', target, draft);
};

export function forgetOnDevice(target: Target, account: number): void {
  device.write(keyOf(target, account), null);
}

function forgetOf(target: Target, account: number | null): void {
  erase('tab', keyOf(target, account));
  if (account !== null) forgetOnDevice(target, account);
}

/** Also what the account wrote before it signed in. */
export function forgetDraft(target: Target, account: number | null): void {
  endTakeOver(target, account);
  forgetOf(target, account);
}

/** Notes that a text in this tab is on its way, and its picture. */
export function recordAttempt(
  recipient: Recipient,
  text: string,
  image: string | null,
  key: string,
  prompt: string,
): void {
  const addressee = addresseeOf(recipient);
  const tried = { key, prompt, hasPicture: image !== null };
  const sent = new Map<Target, string | null>([
    [addressee, text],
    [`picture-${addressee}`, image],
  ]);
  for (const entry of keysIn('tab')) {
    const draft = toDraft(tab.readJson(entry));
    for (const [target, content] of sent)
      if (
        draft !== null &&
        entry === keyOf(target, draft.account) &&
        (draft.text === content || (target !== addressee && isLarge(draft.text)))
      )
        write('tab', target, { ...draft, tried });
  }
}

/** Undefined if the text has changed since. */
export function readAttempt(target: Target, account: number | null, text: string): SendAttempt | undefined {
  const draft = readInTab(target, account);
  return draft?.text === text ? draft.tried : undefined;
}

/** Also what is kept on the device. */
export function forgetSent(key: string): void {
  for (const entry of keysIn('tab')) {
    const draft = toDraft(tab.readJson(entry));
    if (draft?.tried?.key !== key) continue;
    erase('tab', entry);
    if (draft.account !== null) device.write(entry, null);
  }
}

type DraftKey = ReturnType<typeof keyOf>;
const isDraftKey = (key: string): key is DraftKey => key.startsWith(PREFIX);
const keysIn = (place: Place) => PLACES[place].keys().filter(isDraftKey);

export const hasDrafts = (): boolean => keysIn('tab').length + keysIn('device').length > 0;

/** @param isMeant receives null for an expired or unreadable draft */
function forgetIn(place: Place, isMeant: (draft: Draft | null) => boolean): void {
  for (const key of keysIn(place)) if (isMeant(toDraft(PLACES[place].readJson(key)))) erase(place, key);
}

export function forgetDrafts(): void {
  forgetIn('tab', () => true);
  forgetIn('device', () => true);
}

export const forgetTabOfOthers = (account: number | null): void => {
  forgetIn('tab', (draft) => draft !== null && draft.account !== null && draft.account !== account);
};

export const forgetOldDrafts = (): void => {
  forgetIn('device', (draft) => draft === null);
};
