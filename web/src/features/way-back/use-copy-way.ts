import { useToast } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';
import { isErrorNamed } from '../../lib/is-error-named.js';
import { PHONE } from '../../theme/index.js';

/** Copies the whole address of a way back. @param path `/r/{token}` */
export function useCopyWay(path: string) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied();
  // Asked for when it is needed: the page is rendered on the server, too.
  const urlOfWay = () => `${window.location.origin}${path}`;
  const copyWay = async () => {
    const done = await copy(urlOfWay());
    toast({ variant: done ? 'success' : 'destructive', title: t(done ? 'wayBack.copied' : 'wayBack.copyFailed') });
  };
  const canShare = () => 'share' in navigator && window.matchMedia(PHONE).matches;
  return {
    copied,
    copyWay,
    /** True where the device has a sheet of its own, which browsers inside other apps may lack. */
    canShare,
    /** Opens the device's own sheet on phones. Elsewhere, and where that fails, it copies. */
    saveWay: async () => {
      if (!canShare()) return copyWay();
      try {
        await navigator.share({ url: urlOfWay() });
      } catch (error) {
        if (!isErrorNamed(error, 'AbortError')) await copyWay();
      }
    },
  };
}
