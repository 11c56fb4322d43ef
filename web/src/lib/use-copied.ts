import { useEffect, useState } from 'react';

const SHOWN = 1500;

/** Copies a text. `copied` is true for a moment afterwards. */
export function useCopied() {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, SHOWN);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);

  /** Resolves to true if the text was copied. */
  const copy = async (text: string): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      return true;
    } catch {
      return false;
    }
  };

  return { copied, copy };
}
