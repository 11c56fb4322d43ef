import { createContext, use, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';

export type ToastVariant = 'default' | 'destructive' | 'success' | 'warning' | 'info';

export interface ToastContent {
  variant?: ToastVariant;
  title: string;
  text?: ReactNode;
  /** In place of the variant's own icon. */
  icon?: LucideIcon;
}

export type ShowToast = (toast: ToastContent) => void;

export const ToastContext = createContext<ShowToast>(() => {
  throw new Error('A toast needs a ToastProvider around it.');
});

/** Shows a toast. One is visible at a time: the newest. */
export const useToast = () => use(ToastContext);
