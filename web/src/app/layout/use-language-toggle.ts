import { useToast } from '../../components/index.js';
import { otherLanguage, useLanguage, useTranslation } from '../../i18n/index.js';

/** A toast reports texts that cannot be loaded. */
export function useLanguageToggle() {
  const { t } = useTranslation();
  const toast = useToast();
  const { language, toggle } = useLanguage();
  return {
    language,
    toggle: () => {
      // Without them, fallback fonts are used.
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
