/** Local storage. leave-device.ts says what happens to each when an account leaves. */
export type DeviceEntry =
  /** With the assistant, and the visitor id in them. */
  | 'conversations'
  | 'visitorId'
  /** Kept on request, one per recipient. */
  | 'draft'
  /** Preferences, which before-paint.js reads. */
  | 'language'
  | 'digits'
  /** Account id. before-paint.js reads it. */
  | 'signed-in'
  /** How a session ended, until its traces are gone. */
  | 'left'
  /** Set while the outbox has anything (lib/outbox/store.ts), so that pages need not open it. */
  | 'outbox'
  /** The push subscription, its renewal time, and that of "not now". */
  | 'push-subscription'
  | 'push-renewed'
  | 'push-not-now'
  /** Accounts that have not saved their recovery codes. */
  | 'unsaved-codes'
  | 'ways-back';

/** Session storage, which ends with the tab. */
export type TabEntry =
  /** One per recipient and per message replied to. */
  | 'draft'
  /** Survives a reload. */
  | 'undo'
  /** Until they are saved (unsaved-codes.ts). */
  | 'recovery-codes'
  /** Username of the page that asked to sign in. */
  | 'wanted';

type KeyOf<Entry> = Entry extends 'draft' ? `draft-${string}` : Entry;

/** Storage may be refused or full. Then nothing is kept, and reads find nothing. */
function createStorage<Entry extends string>(open: () => Storage) {
  const attempt = <Result>(act: (storage: Storage) => Result): Result | null => {
    try {
      return act(open());
    } catch {
      return null;
    }
  };
  return {
    /** False if refused. */
    isOpen: (): boolean => attempt(() => true) ?? false,
    read: (key: KeyOf<Entry>): string | null => attempt((storage) => storage.getItem(key)),
    /** @returns null also for invalid JSON */
    readJson: (key: KeyOf<Entry>): unknown =>
      attempt((storage) => JSON.parse(storage.getItem(key) ?? 'null') as unknown),
    /** @param value null removes the entry */
    write: (key: KeyOf<Entry>, value: string | null): void => {
      attempt((storage) => {
        if (value === null) storage.removeItem(key);
        else storage.setItem(key, value);
      });
    },
    keys: (): string[] => attempt(Object.keys) ?? [],
  };
}

// eslint-disable-next-line no-restricted-globals -- These two are the only places.
export const device = createStorage<DeviceEntry>(() => localStorage);
// eslint-disable-next-line no-restricted-globals -- As above.
export const tab = createStorage<TabEntry>(() => sessionStorage);
