export interface Search {
  /** Whose messages to search. Null for everyone's. */
  username: string | null;
  text: string;
}

export const EVERYTHING: Search = { username: null, text: '' };

/** Parses the search input: words, `@username`, or `@username` followed by words. */
export function parseSearch(written: string): Search {
  const [, username, text] = /^\s*@(\S+)([^]*)$/.exec(written) ?? [];
  return { username: username ?? null, text: (text ?? written).trim() };
}
