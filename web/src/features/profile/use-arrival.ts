import { useState } from 'react';
import { isUndrawable, readPictureRefusal } from '../messages/index.js';

/**
 * Follows a picture until it has come, or until it is clear that it does not.
 * @param path of a picture with a text, which may have letters that cannot be drawn
 */
export function useArrival(path?: string) {
  const [state, setState] = useState<'coming' | 'here' | 'missing' | 'undrawable'>('coming');
  const [attempt, setAttempt] = useState(0);
  return {
    state,
    /** Key of the picture: a browser asks again for a new element only. */
    attempt,
    onLoad: () => {
      setState('here');
    },
    onError: () => {
      setState('missing');
      if (path === undefined) return;
      readPictureRefusal(path).then(
        (refusal) => {
          if (isUndrawable(refusal)) setState((now) => (now === 'missing' ? 'undrawable' : now));
        },
        // There is no line.
        () => undefined,
      );
    },
    retry: () => {
      setState('coming');
      setAttempt((last) => last + 1);
    },
  };
}
