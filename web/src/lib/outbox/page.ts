import { registerServiceWorker } from '../service-worker.js';
import { device } from '../storage.js';
import { MAX_WAITING } from './limit.js';
import { sendWaiting } from './send.js';
import { putWaiting, readOutbox, type Waiting } from './store.js';

export async function updateFlag(): Promise<void> {
  const { waiting, gone } = await readOutbox();
  device.write('outbox', waiting.length + gone.length > 0 ? 'yes' : null);
}

let account: number | null | undefined;

export function setAccount(id: number | null | undefined): void {
  account = id;
}

interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

/** Background sync, where supported: sends when online again, also without a page. */
async function requestSync(): Promise<void> {
  const registration: SyncRegistration | null = await registerServiceWorker();
  // Pages send as well, so a refusal changes little.
  await registration?.sync?.register('outbox').catch(() => undefined);
}

export async function keepForLater(message: Pick<Waiting, 'key' | 'recipient' | 'content'>): Promise<boolean> {
  if (account === undefined || (await readOutbox()).waiting.length >= MAX_WAITING) return false;
  try {
    const { id, username, name, follows } = message.recipient;
    await putWaiting({
      ...message,
      recipient: { id, username, name, follows },
      account,
      writtenAt: new Date().toISOString(),
      state: { name: 'waiting' },
    });
  } catch {
    return false;
  }
  await updateFlag();
  void requestSync();
  sendSoon();
  return true;
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;
let pause = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

function sendSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendNow(), pause);
  pause = Math.min(pause * 2, MAX_PAUSE_MS);
}

export async function sendNow(): Promise<void> {
  clearTimeout(timer);
  if ((await readOutbox()).waiting.every(({ state }) => state.name === 'refused')) return;
  if (!navigator.onLine || !(await sendWaiting())) sendSoon();
  else pause = FIRST_PAUSE_MS;
  await updateFlag();
}

let isStarted = false;

export function startSending(): void {
  if (isStarted) return;
  isStarted = true;
  window.addEventListener('online', () => void sendNow());
  void sendNow();
}
