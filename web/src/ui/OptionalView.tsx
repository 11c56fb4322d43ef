import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Optional } from './Boundary.js';
import { useToast } from './toast-context.js';

interface Props {
  /** Called if it could not be loaded, so that it can be reopened. */
  onClose: () => void;
  fallback?: ReactNode;
  children: ReactNode;
}

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
