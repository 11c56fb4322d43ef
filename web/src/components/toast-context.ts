import { createContext, use, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';

/** `missing`: a part of the page could not be loaded. The toast finds out whether a newer build has taken its place. */
export type ToastVariant = 'default' | 'destructive' | 'missing' | 'success' | 'warning' | 'info';

export interface ToastContent {
  variant?: ToastVariant;
  title: string;
  text?: ReactNode;
  /** Replaces the icon of the variant. */
  icon?: LucideIcon;
  /** In milliseconds. */
  duration?: number;
}

/** An event of the window: a page crashed or could not be loaded. The toaster loads the new build then, if there is one. */
export const PAGE_FAILED = 'page-failed';

export type ShowToast = (toast: ToastContent) => void;

export const ToastContext = createContext<ShowToast>(() => {
  throw new Error('useToast() needs a ToastProvider.');
});

/** Shows a toast. Only the newest toast is visible. */
export const useToast = () => use(ToastContext);
