import { useState } from 'react';
import { isUndrawable, readPictureRefusal } from '../../shared/message/index.js';

interface Arrival {
  path: string;
  state: 'coming' | 'here' | 'missing' | 'undrawable';
  attempt: number;
}

/** @param path of a picture whose text may have letters that cannot be drawn */
export function useArrival(path: string) {
  const [last, setLast] = useState<Arrival>({ path, state: 'coming', attempt: 0 });
  const { state, attempt }: Arrival = last.path === path ? last : { path, state: 'coming', attempt: 0 };
  const become = (next: Arrival['state']) => setLast({ path, state: next, attempt });
  return {
    state,
    /** React key: a browser only retries for a new element. */
    attempt,
    onLoad: () => become('here'),
    onError: () => {
      become('missing');
      readPictureRefusal(path).then(
        (refusal) => {
          if (!isUndrawable(refusal)) return;
          setLast((now) => (now.path === path && now.state === 'missing' ? { ...now, state: 'undrawable' } : now));
        },
        // Offline.
        () => undefined,
      );
    },
    retry: () => setLast({ path, state: 'coming', attempt: attempt + 1 }),
  };
}
