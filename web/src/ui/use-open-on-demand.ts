import { type ComponentType, useState } from 'react';
import { useToast } from './index.js';
import { useTranslation } from '../i18n/index.js';
import { useOnDemand } from '../lib/on-demand.js';

/** Loads a dialog on the first touch of its button. A toast reports failures. */
export function useOpenOnDemand<Props>(importPart: () => Promise<ComponentType<Props>>) {
  const { t } = useTranslation();
  const toast = useToast();
  const { Part, load, preload } = useOnDemand(importPart);
  const [open, setOpen] = useState(false);
  const onClick = () => {
    load().then(
      () => setOpen(true),
      () => toast({ variant: 'missing', title: t('common.error.offline') }),
    );
  };
  const button = {
    'aria-haspopup': 'dialog',
    'aria-expanded': open,
    onPointerEnter: preload,
    onFocus: preload,
    onClick,
  } as const;
  return { Part, open, setOpen, button };
}
