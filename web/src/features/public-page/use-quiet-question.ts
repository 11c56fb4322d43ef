import { useState } from 'react';

/** A list that could not be loaded never keeps a message back. */
async function containsInsult(text: string): Promise<boolean> {
  // Neither could the question be loaded.
  if (!navigator.onLine) return false;
  try {
    const { isHarsh } = await import('./is-harsh.js');
    return isHarsh(text);
  } catch {
    return false;
  }
}

/** Asks once before a text with hurtful words is sent. The list is loaded with the first message. */
export function useQuietQuestion(text: string) {
  const [askedAbout, setAskedAbout] = useState<string | null>(null);
  return {
    isAsking: askedAbout === text && text !== '',
    /** @returns whether to wait for the answer */
    ask: async (): Promise<boolean> => {
      if (askedAbout === text || !(await containsInsult(text))) return false;
      setAskedAbout(text);
      return true;
    },
  };
}
