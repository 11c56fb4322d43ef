import { type ComponentType, useState } from 'react';
import { useToast } from '../components/index.js';
import { useTranslation } from '../i18n/index.js';
import { useOnDemand } from '../lib/on-demand.js';

/**
 * A dialog whose code is loaded on the first touch of its button, with the properties of that button. If the code cannot be
 * loaded, a toast says so.
 */
export function useOpenOnDemand<Props>(importPart: () => Promise<ComponentType<Props>>) {
  const { t } = useTranslation();
  const toast = useToast();
  const { Part, load, preload } = useOnDemand(importPart);
  const [open, setOpen] = useState(false);
  const onClick = () => {
    load().then(
      () => {
        setOpen(true);
      },
      () => {
        toast({ variant: 'missing', title: t('common.error.offline') });
      },
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
