import { useToast } from '../../components/index.js';
import { otherLanguage, useLanguage, useTranslation } from '../../i18n/index.js';

/** Switches the language, with a toast if its texts cannot be loaded. */
export function useLanguageToggle() {
  const { t } = useTranslation();
  const toast = useToast();
  const { language, toggle } = useLanguage();
  return {
    language,
    toggle: () => {
      // Without them the language shows in other fonts.
      import('./bring-fonts.js')
        .then(({ bringFonts }) => {
          bringFonts(otherLanguage(language));
        })
        .catch(() => undefined);
      toggle().catch(() => {
        toast({ variant: 'missing', title: t('common.error.offline') });
      });
    },
  };
}
