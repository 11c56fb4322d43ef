import type { i18n } from 'i18next';
import { Direction } from 'radix-ui';
import { useEffect, useMemo, type ReactNode } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { createFormats } from './format.js';
import { FormatsContext } from './hooks.js';
import { storeLanguage, languages, type Language } from './languages.js';

interface Props {
  i18n: i18n;
  storage: () => Storage;
  children: ReactNode;
}

export function LanguageProvider({ i18n, ...rest }: Props) {
  return (
    <I18nextProvider i18n={i18n}>
      <DirectionProvider {...rest} />
    </I18nextProvider>
  );
}

function DirectionProvider({ storage, children }: Omit<Props, 'i18n'>) {
  const { i18n } = useTranslation();
  const language = i18n.language as Language;
  const { direction } = languages[language];
  const formats = useMemo(() => createFormats(language), [language]);

  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  }, [language, direction]);

  useEffect(() => {
    const keep = (chosen: string) => {
      storeLanguage(storage, chosen as Language);
    };
    i18n.on('languageChanged', keep);
    return () => {
      i18n.off('languageChanged', keep);
    };
  }, [i18n, storage]);

  return (
    <Direction.Provider dir={direction}>
      <FormatsContext value={formats}>{children}</FormatsContext>
    </Direction.Provider>
  );
}
