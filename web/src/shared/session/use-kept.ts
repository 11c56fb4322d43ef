import { useRef, useState } from 'react';
import { forgetDraft, keepDraft, readDraft, type Target } from '../../lib/drafts.js';
import { useCurrentUser } from './session.js';

/** Keeps a form in this tab until it is saved. @param name of the form */
export function useKept<Value>(name: string) {
  const { user } = useCurrentUser();
  const account = user?.id ?? null;
  const target: Target = `form-${name}`;
  return {
    read: (): Value | null => JSON.parse(readDraft(target, account) ?? 'null') as Value | null,
    /** @param value null forgets it */
    keep: (value: Value | null) => {
      if (value === null) forgetDraft(target, account);
      else keepDraft(target, { text: JSON.stringify(value), account });
    },
  };
}

/** State that is kept, at once: its component may leave with the change. */
export function useKeptState<Value>(name: string, empty: Value) {
  const { read, keep } = useKept<Value>(name);
  const [value, setValue] = useState(() => read() ?? empty);
  const latest = useRef(value);
  const set = (next: Value | ((now: Value) => Value)) => {
    latest.current = next instanceof Function ? next(latest.current) : next;
    setValue(latest.current);
    keep(latest.current === empty ? null : latest.current);
  };
  return [value, set] as const;
}
