import type { ReactNode } from 'react';
import { useErrorText } from '../api/use-error-text.js';
import { useToast } from './toast-context.js';

/** Says in a toast what came of an action. */
export function useOutcome() {
  const toast = useToast();
  const errors = useErrorText();
  return {
    toast,
    errors,
    done: (title: string, text?: ReactNode) => toast({ variant: 'success', title, text }),
    failed: (title: string, error?: unknown) =>
      toast({ variant: 'destructive', title, text: error === undefined ? undefined : errors.text(error) }),
  };
}
