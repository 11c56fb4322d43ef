import { useState } from 'react';

/** Follows a picture until it has come, or until it is clear that it does not. */
export function useArrival() {
  const [state, setState] = useState<'coming' | 'here' | 'missing'>('coming');
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
    },
    retry: () => {
      setState('coming');
      setAttempt((last) => last + 1);
    },
  };
}
