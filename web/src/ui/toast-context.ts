import { createContext, use, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';

/** `missing`: a part could not be loaded. The toast checks for a newer build. */
export type ToastVariant = 'default' | 'destructive' | 'missing' | 'success' | 'warning' | 'info';

export interface ToastContent {
  variant?: ToastVariant;
  title: string;
  text?: ReactNode;
  icon?: LucideIcon;
  /** In milliseconds. */
  duration?: number;
}

/** Window event: a page crashed or could not be loaded. The toaster loads a newer build, if any. */
export const PAGE_FAILED = 'page-failed';

export type ShowToast = (toast: ToastContent) => void;

export const ToastContext = createContext<ShowToast>(() => {
  throw new Error('No provider.');
});

export const useToast = () => use(ToastContext);
