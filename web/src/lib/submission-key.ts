import { useRef } from 'react';

/** `crypto.randomUUID` needs a secure context, which a site on a local network is not. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Of the form on the page, see `FormFoot`. */
export const isForLater = (): true | undefined => (document.querySelector('[name=later]:checked') ? true : undefined);

/**
 * Stays the same while the content does, so that a retry is idempotent. After a success, `renew()` starts a new one.
 */
export function useSubmissionKey() {
  const current = useRef<{ content: string; key: string } | null>(null);

  return {
    keyFor: (...parts: string[]) => {
      const content = JSON.stringify(parts);
      if (current.current?.content !== content) current.current = { content, key: createKey() };
      return current.current.key;
    },
    renew: () => {
      current.current = null;
    },
    /** Resumes a submission tried before a reload. */
    adopt: (key: string, ...parts: string[]) => {
      current.current = { content: JSON.stringify(parts), key };
    },
  };
}
