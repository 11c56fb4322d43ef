import { useState } from 'react';

/** If the list cannot be loaded, nothing is held back. */
async function containsInsult(text: string): Promise<boolean> {
  // The question itself could not be loaded.
  if (!navigator.onLine) return false;
  try {
    const { hasInsult } = await import('./has-insult.js');
    return hasInsult(text);
  } catch {
    return false;
  }
}

/** Asks once. The list loads with the first message. */
export function useQuietQuestion(text: string) {
  const [askedAbout, setAskedAbout] = useState<string | null>(null);
  return {
    isAsking: askedAbout === text && text !== '',
    ask: async (): Promise<boolean> => {
      if (askedAbout === text || !(await containsInsult(text))) return false;
      setAskedAbout(text);
      return true;
    },
  };
}
