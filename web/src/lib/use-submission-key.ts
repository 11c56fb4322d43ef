import { useCallback, useRef } from 'react';
import { createKey } from './create-key.js';

/**
 * The Idempotency-Key of a submission. It stays the same while the content does, so that a retry never sends twice.
 * After a success, `renew()` starts a new one.
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
