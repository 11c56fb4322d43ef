import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Optional } from './Boundary.js';
import { useToast } from './toast-context.js';

interface Props {
  /** Called when the part could not be loaded, so that it can be opened again. */
  onClose: () => void;
  /** Shown meanwhile. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** A dialog or view that is loaded once it opens. If it cannot be, a toast says so. */
export function OptionalView({ onClose, ...part }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  return (
    <Optional
      {...part}
      onFailure={() => {
        toast({ variant: 'missing', title: t('common.error.offline') });
        onClose();
      }}
    />
  );
}
