/** Entries of local storage. leave-device.ts says what becomes of each when an account leaves. */
export type DeviceEntry =
  /** Conversations with the assistant, and the id of a visitor in them. */
  | 'conversations'
  | 'visitorId'
  /** Texts that their writers want kept, one for each recipient. */
  | 'draft'
  /** Choices of whoever uses the device. before-paint.js reads the language. */
  | 'density'
  | 'language'
  /** Id of the account that is signed in. before-paint.js reads it. */
  | 'signed-in'
  /** Way in which an account's session ended, until its traces are gone. */
  | 'left'
  /** Set while the outbox has anything (lib/outbox/store.ts), so that a page knows without opening it. */
  | 'outbox'
  /** The subscription for push, the time of its renewal, and that of "not now". */
  | 'push-subscription'
  | 'push-renewed'
  | 'push-not-now'
  | 'ways-back';

/** Entries of session storage, which ends with the tab. */
export type TabEntry =
  /** Texts that were begun, one for each recipient and each message that is replied to. */
  | 'draft'
  /** The deletion that can be taken back, also after a reload. */
  | 'undo'
  /** Username of the page that asked to sign in, until the form for that is there. */
  | 'wanted';

type KeyOf<Entry> = Entry extends 'draft' ? `draft-${string}` : Entry;

/** A browser may refuse its storage, or have no room. Then nothing is kept, and reading finds nothing. */
function createStorage<Entry extends string>(open: () => Storage) {
  const attempt = <Result>(act: (storage: Storage) => Result): Result | null => {
    try {
      return act(open());
    } catch {
      return null;
    }
  };
  return {
    /** False where the browser keeps nothing for sites. */
    isOpen: (): boolean => attempt(() => true) ?? false,
    read: (key: KeyOf<Entry>): string | null => attempt((storage) => storage.getItem(key)),
    /** @returns null also for what is no JSON */
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
