/** The localStorage key of all conversations of this browser. */
export const CONVERSATIONS_KEY = 'conversations';

/** The browser's storage. Access may throw. */
export type OpenStorage = () => Storage;

/** True if this browser has talked to the assistant. Most visitors have not, and need no code for it. */
export function hasConversations(open: OpenStorage): boolean {
  try {
    return open().getItem(CONVERSATIONS_KEY) !== null;
  } catch {
    return false;
  }
}
