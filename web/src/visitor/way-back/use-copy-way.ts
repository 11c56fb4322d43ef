import { useToast } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';
import { isErrorNamed } from '../../lib/is-error-named.js';
import { PHONE } from '../../theme/index.js';

/** @param path `/r/{token}` */
export function useCopyWayBack(path: string) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied();
  // Lazy: the page is rendered on the server, too.
  const wayBackUrl = () => `${window.location.origin}${path}`;
  const copyWayBack = async () => {
    const done = await copy(wayBackUrl());
    toast({ variant: done ? 'success' : 'destructive', title: t(done ? 'wayBack.copied' : 'wayBack.copyFailed') });
  };
  const canShare = () => 'share' in navigator && window.matchMedia(PHONE).matches;
  return {
    copied,
    copyWayBack,
    /** In-app browsers may lack a share sheet. */
    canShare,
    /** The share sheet on phones. Otherwise, or if it fails, copies. */
    shareWayBack: async () => {
      if (!canShare()) return copyWayBack();
      try {
        await navigator.share({ url: wayBackUrl() });
      } catch (error) {
        if (!isErrorNamed(error, 'AbortError')) await copyWayBack();
      }
    },
  };
}
