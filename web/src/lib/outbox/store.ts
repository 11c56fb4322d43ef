import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Content, Recipient } from '../message-request.js';

export interface Waiting {
  /** Its Idempotency-Key, so that it arrives once. */
  key: string;
  /** Its writer. Null for a visitor. Never sent under another account. */
  account: number | null;
  recipient: Recipient;
  writtenAt: string;
  /** A text, optionally with a picture as a data URL, or a voice altered on this device. */
  content: Content;
  /** `held` until its writer is back, `refused` for good, with an error code. */
  state: { name: 'waiting' } | { name: 'held' } | { name: 'refused'; code: string };
}

/** Kept until its writer was notified. */
export interface Delivered {
  key: string;
  account: number | null;
  recipient: Waiting['recipient'];
  /** `/r/{token}` and the message's id. Null if an earlier try had them. */
  way: { path: string; messageId?: number | undefined; sentAt: string } | null;
  /** A page has stored the link, which may have been removed since. */
  isKept: boolean;
}

interface Schema extends DBSchema {
  waiting: { key: string; value: Waiting };
  gone: { key: string; value: Delivered };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

const open = async (): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>('outbox', 1, {
    upgrade(created) {
      created.createObjectStore('waiting', { keyPath: 'key' });
      created.createObjectStore('gone', { keyPath: 'key' });
    },
    terminated() {
      opened = undefined;
    },
  });

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= open();
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

const CHANNEL = 'outbox';

/** Null if refused. Then other tabs notice later. */
function channel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

const listeners = new Set<() => void>();

function notify(): void {
  const sender = channel();
  sender?.postMessage(null);
  sender?.close();
  for (const listener of listeners) listener();
}

/** Also for changes by other tabs or the service worker. @returns ends it */
export function onOutboxChange(listener: () => void): () => void {
  const receiver = channel();
  receiver?.addEventListener('message', listener);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    receiver?.close();
  };
}

const byTime = (a: Waiting, b: Waiting) => a.writtenAt.localeCompare(b.writtenAt);

export async function readOutbox(): Promise<{ waiting: Waiting[]; gone: Delivered[] }> {
  try {
    const store = await database();
    const [waiting, gone] = await Promise.all([store.getAll('waiting'), store.getAll('gone')]);
    return { waiting: waiting.sort(byTime), gone };
  } catch {
    return { waiting: [], gone: [] };
  }
}

/** @throws if storage is refused or full */
export async function putWaiting(message: Waiting): Promise<void> {
  await (await database()).put('waiting', message);
  notify();
}

/** In one transaction. */
export async function recordDelivery(gone: Delivered): Promise<void> {
  const step = (await database()).transaction(['waiting', 'gone'], 'readwrite');
  await Promise.all([step.objectStore('waiting').delete(gone.key), step.objectStore('gone').put(gone), step.done]);
  notify();
}

export async function markKept(gone: Delivered): Promise<void> {
  await (await database()).put('gone', { ...gone, isKept: true });
}

export async function removeWaiting(key: string): Promise<void> {
  await (await database()).delete('waiting', key);
  notify();
}

export async function removeDelivered(key: string): Promise<void> {
  await (await database()).delete('gone', key);
  notify();
}

/** Deliveries have links. */
export async function forgetDeliveredOfOthers(account: number | null): Promise<void> {
  for (const gone of (await readOutbox()).gone)
    if (gone.account !== null && gone.account !== account) await removeDelivered(gone.key);
}

export async function clearOutbox(): Promise<void> {
  const store = await database().catch(() => null);
  if (store === null) return;
  const step = store.transaction(['waiting', 'gone'], 'readwrite');
  await Promise.all([step.objectStore('waiting').clear(), step.objectStore('gone').clear(), step.done]);
  notify();
}
