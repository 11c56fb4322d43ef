import { useEffect, useState } from 'react';

const SHOWN = 1500;

/** Copies a text; `copied` stays true for as long as the icon is a check. */
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

  /** Resolves to whether the text is on the clipboard. */
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
