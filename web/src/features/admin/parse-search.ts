export interface Search {
  /** Whose messages; null for everybody's. */
  username: string | null;
  text: string;
}

export const EVERYTHING: Search = { username: null, text: '' };

/** What was written into the search field: words, or @username, or @username and then words. */
export function parseSearch(written: string): Search {
  const [, username, text] = /^\s*@(\S+)([^]*)$/.exec(written) ?? [];
  return { username: username ?? null, text: (text ?? written).trim() };
}
