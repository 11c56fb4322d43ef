import { useToast } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';

/** Copies the whole address of a way back. @param path `/r/{token}` */
export function useCopyWay(path: string) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied();
  return {
    copied,
    copyWay: async () => {
      const done = await copy(`${window.location.origin}${path}`);
      toast({ variant: done ? 'success' : 'destructive', title: t(done ? 'wayBack.copied' : 'wayBack.copyFailed') });
    },
  };
}
