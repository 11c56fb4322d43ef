import { useToast } from '../../ui/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';

/** A toast reports texts that cannot be loaded. */
export function useLanguageToggle() {
  const { t } = useTranslation();
  const toast = useToast();
  const { language, toggle } = useLanguage();
  return {
    language,
    toggle: () => {
      toggle().catch(() => toast({ variant: 'missing', title: t('common.error.offline') }));
    },
  };
}
