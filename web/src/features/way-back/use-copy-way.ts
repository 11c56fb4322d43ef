import { useToast } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';
import { isErrorNamed } from '../../lib/is-error-named.js';
import { PHONE } from '../../theme/index.js';

/** @param path `/r/{token}` */
export function useCopyWay(path: string) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied();
  // Lazy: the page is rendered on the server, too.
  const urlOfWay = () => `${window.location.origin}${path}`;
  const copyWay = async () => {
    const done = await copy(urlOfWay());
    toast({ variant: done ? 'success' : 'destructive', title: t(done ? 'wayBack.copied' : 'wayBack.copyFailed') });
  };
  const canShare = () => 'share' in navigator && window.matchMedia(PHONE).matches;
  return {
    copied,
    copyWay,
    /** In-app browsers may lack a share sheet. */
    canShare,
    /** The share sheet on phones. Otherwise, or if it fails, copies. */
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
