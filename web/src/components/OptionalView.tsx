import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Optional } from './Boundary.js';
import { useToast } from './toast-context.js';

interface Props {
  /** Called when the dialog could not be loaded, so that it can be opened again. */
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is loaded once it opens. If it cannot be, a toast says so. */
export function OptionalDialog({ onClose, children }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  return (
    <Optional
      onFailure={() => {
        toast({ variant: 'destructive', title: t('common.error.offline') });
        onClose();
      }}
    >
      {children}
    </Optional>
  );
}
