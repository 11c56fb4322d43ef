import { useCallback, useRef } from 'react';
import { createKey } from './create-key.js';

/**
 * The key of a submit: the same as long as the content is, so that trying again after a lost answer never sends twice,
 * and a fresh one for every other content and after a success.
 */
export function useSubmissionKey() {
  const last = useRef<{ content: string; key: string } | null>(null);

  const keyFor = useCallback((...parts: string[]) => {
    const content = JSON.stringify(parts);
    if (last.current?.content !== content) last.current = { content, key: createKey() };
    return last.current.key;
  }, []);

  const renew = useCallback(() => {
    last.current = null;
  }, []);

  return { keyFor, renew };
}
