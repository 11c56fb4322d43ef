import { useTranslation } from '../../i18n/index.js';
import { useToast } from '../../ui/index.js';
import { useCopied } from '../../lib/hooks.js';

/** @param ask id of the question that the page is opened with */
export function useShare(username: string, ask?: number) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied();
  const host = `${window.location.host}/m/`;
  const page = ask === undefined ? username : `${username}?ask=${String(ask)}`;
  const url = `${window.location.origin}/m/${page}`;

  const copyLink = async (done: () => void) => {
    if (await copy(url)) done();
    else toast({ variant: 'destructive', title: t('profile.link.copyFailed') });
  };

  const copyAndSay = () =>
    copyLink(() => toast({ title: t('profile.link.copied'), text: t('profile.link.copiedText') }));

  return {
    host,
    page,
    url,
    copied,
    /** @param done instead of a message */
    copy: (done: () => void) => void copyLink(done),
    copyLink: () => void copyAndSay(),
    copyForStory: () =>
      void copyLink(() =>
        toast({ variant: 'info', title: t('profile.link.storyTitle'), text: t('profile.link.storyText') }),
      ),
    /** False without a system share sheet. */
    canShare: typeof navigator.share === 'function',
    share: () => {
      navigator.share({ url }).catch(() => {
        // Closing the share sheet is not a failure.
      });
    },
  };
}

export type Share = ReturnType<typeof useShare>;
